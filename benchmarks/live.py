"""From the last hand leaving to the ruling on the page: a clip played at its own speed, a listener on the socket, the truth beside it.

    python benchmarks/live.py CLIP_FOLDER [--seconds 120]

The folder is laid out as `sample_frames/clips/*`: clip.mp4, points.json, seats.json, case.json, truth.events.jsonl. For each event of
the truth that a camera can see, prints when its ruling reached the listener, then median and worst of the delays.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from websockets.sync.client import connect

SEEN = {"photos-laid", "marker-taken", "marker-returned", "photos-turned"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("clip", type=Path)
    parser.add_argument("--seconds", type=float, default=120.0, help="how much of the clip is played")
    chosen = parser.parse_args()
    truth = [json.loads(line) for line in (chosen.clip / "truth.events.jsonl").read_text(encoding="utf-8").splitlines()]
    case = json.loads((chosen.clip / "case.json").read_text(encoding="utf-8"))
    heard = listen(chosen.clip, case, chosen.seconds)
    delays = []
    for event in truth:
        if event["event"] not in SEEN or event["t"] > chosen.seconds - 3:
            continue
        match = next((h for h in heard if h["event"]["event"] == event["event"] and abs(h["event"]["t"] - event["t"]) < 1.5
                      and all(h["event"].get(k) == event.get(k) for k in ("player", "value"))), None)
        said = "not heard" if match is None else f"{match['heard_at'] - event['t']:5.2f} s after it lay still"
        print(f"{event['t']:7.2f}  {event['event']:16} {event.get('player', ''):10} {said}")
        if match is not None:
            delays.append(match["heard_at"] - event["t"])
            heard.remove(match)
    if delays:
        print(f"n {len(delays)}: median {statistics.median(delays):.2f} s, worst {max(delays):.2f} s")


def listen(clip: Path, case: dict, seconds: float) -> list[dict]:
    """The rulings of `companion play` on the clip, each with the clip's second at which it reached the listener."""
    with socket.socket() as probe, tempfile.TemporaryDirectory() as folder:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        companion = Path(sys.executable).parent / "companion"
        table, settings = Path(folder) / "table.toml", Path(folder) / "settings.json"
        settings.write_text(json.dumps(case.get("settings") or {}))
        subprocess.run([companion, "calibrate", "--points", clip / "points.json", "--seats", clip / "seats.json", "-o", table], check=True,
                       stdout=subprocess.DEVNULL)
        play = subprocess.Popen(
            [companion, "play", clip / "clip.mp4", "--game", case["game"], "--players", ",".join(case["players"]), "--table", table,
             "--settings", settings, "--port", str(port)],
            env={**os.environ, "COMPANION_GAMES": folder}, stdout=subprocess.DEVNULL)
        try:
            return hear(port, seconds)
        finally:
            play.terminate()
            play.wait()


def hear(port: int, seconds: float) -> list[dict]:
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/health")
            break
        except OSError:
            time.sleep(0.05)
    heard: list[dict] = []
    with connect(f"ws://127.0.0.1:{port}/api/v1/live", max_size=None) as live:
        zero = None
        while zero is None or time.monotonic() - zero < seconds:
            message = json.loads(live.recv(timeout=seconds))
            if message["type"] == "state" and message["status"]["frame_age_s"] is not None:
                earliest = time.monotonic() - message["clock"]["now"]     # the clip's zero by this message: the true one is not later
                zero = earliest if zero is None else min(zero, earliest)
            if message["type"] == "ruling" and zero is not None:
                heard.append({**message, "heard_at": time.monotonic() - zero})
    return heard


if __name__ == "__main__":
    main()

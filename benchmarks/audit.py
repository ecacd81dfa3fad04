"""How long an audit takes: all pairs of a pack (or of our own sample deck), in a pool of as many processes as there are cores.

    python benchmarks/audit.py [PACK] [--side front] [--first 40] [--workers 2]

Prints the pairs, the seconds from the start of the command to its end, and the CPU seconds a pair; the largest memory of one worker.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

from sample_frames.deck.pack import write


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("pack", type=Path, nargs="?", help="default: the sample deck")
    ask.add_argument("--side", choices=["front", "back"], default="front")
    ask.add_argument("--first", type=int, default=40, help="cards")
    ask.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = ask.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        pack = given.pack or here / "night market"
        if given.pack is None:
            write(pack)
        listed = here / "listed"
        listed.mkdir()
        cards = tomllib.loads((pack / "deck.toml").read_text(encoding="utf-8"))["card"]
        for card in cards[: given.first]:
            source = pack / card[given.side]
            (listed / f"{card['id']}{source.suffix}").symlink_to(source.resolve())
        start = time.monotonic()
        command = [Path(sys.executable).with_name("companion"), "audit", listed, "--json", "--workers", str(given.workers)]
        said = subprocess.run(
            command, capture_output=True, text=True, env=os.environ | {"XDG_CACHE_HOME": str(here / "cache")}, check=False
        )
        seconds = time.monotonic() - start
    if not said.stdout:
        sys.exit(said.stderr)
    pairs = json.loads(said.stdout)["pairs"]
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    counted = sum(p["count"] is not None for p in pairs)
    print(f"{pack.name}, {given.side}s: {len(pairs)} pairs, {counted} counted, {given.workers} workers: {seconds:.1f} s")
    print(f"{(used.ru_utime + used.ru_stime) / len(pairs):.3f} CPU s a pair, at most {used.ru_maxrss / 1024:.0f} MB in one process")


if __name__ == "__main__":
    main()

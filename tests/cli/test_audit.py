"""`companion audit`: whole folders and lists, kept and resumed, with trouble in the midst."""

import csv
import hashlib
import io
import json
import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli import companion
from tests.cli.strays import stray_and_killed
from tests.vision.differences_pictures import scene, stickers, warped
from vision.differences import workers
from vision.differences.many import Job, Verdict, judge
from vision.differences.members import known_of, member
from vision.differences.workers import ClusterError, run, run_on_cluster

A = scene(3, 480, 360, things=90)
NO_CLUSTER = "the extra `cluster` is not installed"
CARDS = {"p1.png": A, "p2.png": stickers(A, [(100, 100)], 36), "p3.png": stickers(A, [(300, 200), (400, 80)], 36)}
TRUE = {("p1.png", "p2.png"): 1, ("p1.png", "p3.png"): 2, ("p2.png", "p3.png"): 3}


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where audits that were stopped wait."""
    cache = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    return cache


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, picture in CARDS.items():
        cv2.imwrite(str(tmp_path / name), picture)
    return tmp_path


def audit(*args: object) -> Result:
    return CliRunner().invoke(companion, ["audit", *map(str, args)], standalone_mode=False)


def test_a_folder_gives_every_pair_once(folder: Path) -> None:
    """All pairs in order, each with the hashes of its files; the matrices say the same."""
    done = audit(folder, "--json", "--workers", 1, "--csv", folder / "m.csv", "--html", folder / "m.html")
    pairs = json.loads(done.output)["pairs"]

    assert {(p["a"], p["b"]): p["count"] for p in pairs} == TRUE
    assert done.stderr == ""
    assert all(len(p["sha256_a"]) == len(p["sha256_b"]) == 64 for p in pairs)
    assert list(csv.reader(io.StringIO((folder / "m.csv").read_text())))[1] == ["p1.png", "0", "1", "2"]
    assert done.return_value == 0 and "p2.png" in (folder / "m.html").read_text()


def test_scans_that_lie_off_each_other_are_laid_in_one_frame(tmp_path: Path) -> None:
    """Each card lies on the glass a little turned and shifted; every one is laid on the middle one once, and the counts are as ever."""
    for k, (name, picture) in enumerate(CARDS.items()):
        cv2.imwrite(str(tmp_path / name), warped(picture, degrees=0.7 * k, shift=(3 * k, -2 * k)))
    middle = member(str(tmp_path / "p2.png"), str(tmp_path / "p2.png"))

    pairs = json.loads(audit(tmp_path, "--json", "--workers", 1).output)["pairs"]

    assert {(p["a"], p["b"]): p["count"] for p in pairs} == TRUE
    others = [member(str(tmp_path / name), str(tmp_path / "p2.png")) for name in ("p1.png", "p3.png")]
    assert all(known_of(other, middle) is not None for other in others)


def test_a_list_with_trouble_goes_on(folder: Path) -> None:
    """A file that cannot be read and a pair that is refused are verdicts; the others are compared. An empty b: a is a sheet."""
    cv2.imwrite(str(folder / "other.png"), scene(8, 480, 360))
    (folder / "empty.png").touch()
    cv2.imwrite(str(folder / "sheet.png"), cv2.hconcat([A, np.full((360, 20, 3), 250, np.uint8), CARDS["p2.png"]]))
    listed = "p1.png,p2.png,1\np1.png,empty.png,\np1.png,other.png,\np1.png,p3.png,5\nsheet.png,,1\n"
    (folder / "pairs.csv").write_text(f"a,b,expected\n{listed}")

    done = audit(folder / "pairs.csv", "--json", "--workers", 1)
    pairs = json.loads(done.output)["pairs"]

    assert [p["count"] for p in pairs] == [1, None, None, 2, 1]
    assert [p["same_picture"] for p in pairs] == [True, None, False, True, True]
    assert "empty" in pairs[1]["error"] and pairs[2]["error"] and done.return_value == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"a,c\nx,y\n", "'b' is missing"),
        (b"", "'a' is missing"),
        (b"a,b\n", "no pairs"),
        (b"a,b\n,y\n", "line 2"),
        (b"a,b,expected\nx,y,many\n", "'many'"),
        (b"Dear diary,\ntoday we played.\n", "'a' is missing"),
        (b"\x89PNG\r\n\xff\xfe\x00", "no text"),
        (b"a,b\n" + b"x" * 200_000 + b",y\n", "field larger"),
    ],
)
def test_a_broken_list_is_one_line(tmp_path: Path, text: bytes, said: str) -> None:
    """What is wrong with the list, and where."""
    (tmp_path / "pairs.csv").write_bytes(text)
    result = audit(tmp_path / "pairs.csv")

    assert said in str(result.exception) and "\n" not in str(result.exception)


def test_ten_thousand_files_are_refused_at_once(tmp_path: Path) -> None:
    """Fifty million pairs are a mistake; the message says what to do."""
    for k in range(10_000):
        (tmp_path / f"{k}.png").touch()
    result = audit(tmp_path)

    assert "10000 pictures" in str(result.exception) and "CSV" in str(result.exception)


def test_a_kept_audit_goes_on_where_it_stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kept verdicts are not asked again, a line cut off in mid-write and a changed file are."""
    keep = folder / "kept.jsonl"
    first = audit(folder, "--json", "--workers", 1, "--keep", keep)
    lines = keep.read_text().splitlines()
    keep.write_text("\n".join(lines[:2]) + "\n" + lines[2][:40])
    asked: list[Job] = []
    monkeypatch.setattr(workers, "judge", lambda job: asked.append(job) or judge(job))

    again = audit(folder, "--json", "--workers", 1, "--keep", keep)

    assert json.loads(again.output) == json.loads(first.output)
    assert [(job.name_a, job.name_b) for job in asked] == [("p2.png", "p3.png")]


def test_an_expected_matrix_is_held_against_the_counts(folder: Path) -> None:
    """Equal: 0; one cell off: 1; a name that is none of the pictures is a mistake."""
    (folder / "right.csv").write_text(",p1.png,p2.png\np1.png,0,1\np3.png,2,3\n")
    (folder / "wrong.csv").write_text(",p1.png,p2.png\np1.png,0,4\n")
    (folder / "strange.csv").write_text(",p1.png,p9.png\np1.png,0,4\n")

    assert audit(folder, "--workers", 1, "--expect-matrix", folder / "right.csv").return_value == 0
    assert audit(folder, "--workers", 1, "--expect-matrix", folder / "wrong.csv").return_value == 1
    assert "'p9.png'" in str(audit(folder, "--workers", 1, "--expect-matrix", folder / "strange.csv").exception)


@pytest.mark.parametrize(("text", "said"), [
    ("", "no counts"),
    ("id,p1.png\n", "no counts"),
    ("id,p1.png,p2.png\np1.png,0,1\np2.png,2,0\n", "line 3: 2 for p2.png and p1.png, but 1 above"),
    ("id,p1.png,p1.png\np2.png,1,1\n", "'p1.png' stands twice in its first row"),
    ("id,p1.png\np2.png,1\np2.png,1\n", "'p2.png' stands twice in its first column"),
    ("id,zz\nzz,0\n", "'zz' is none of the pictures"),
    ("id,p1.png,p2.png\np1.png,0,1,7\n", "line 2 holds 3 counts"),
    ("id,p1.png,p2.png\np1.png,0\n", "line 2 holds 1 counts"),
    ("id,p1.png,p2.png\np1.png,0,x\n", "line 2: 'x' for p1.png and p2.png"),
    ("id,p1.png,p2.png\np1.png,0,-1\n", "line 2: '-1'"),
    ("id,p1.png,p2.png\np1.png,3,1\n", "p1.png and itself"),
    ("id,p1.png,p2.png\np1.png,0,\n", "expects nothing"),
    ('id,p1.png,"p2.png\np1.png,0,1\n', "cannot be read as a matrix"),
])
def test_a_matrix_that_is_none_is_refused(folder: Path, text: str, said: str) -> None:
    """Never passed over: the line and what is wrong in it, before anything is compared."""
    (folder / "m.csv").write_text(text)
    result = audit(folder, "--workers", 1, "--expect-matrix", folder / "m.csv")

    assert isinstance(result.exception, click.ClickException) and result.output.count("\n") <= 1
    assert said in result.exception.message and "m.csv" in result.exception.message


def test_a_killed_worker_and_a_stray_line_change_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The verdicts are those of one worker alone, each with its own pair's hashes (reports 25)."""
    jobs = [Job(str(folder / p), str(folder / q), p, q) for p in CARDS for q in CARDS if p != q]
    alone = {(v.a, v.b): v for v in map(judge, jobs)}
    monkeypatch.setattr(workers, "judge", stray_and_killed)

    pooled = list(run(jobs, workers=2))

    assert (folder / "killed").exists()
    assert len(pooled) == len(jobs) and {(v.a, v.b): v for v in pooled} == alone
    assert "stray" not in capfd.readouterr().out


PARENT = """
import sys
from multiprocessing import active_children
from vision.differences.many import Job
from vision.differences.workers import run

if __name__ == "__main__":
    verdicts = run([Job(sys.argv[1], sys.argv[2], "a", "b")] * 3, workers=2)
    next(verdicts)
    print(*(child.pid for child in active_children()), flush=True)
    sys.stdin.read()
"""


def test_workers_end_when_their_audit_is_killed(folder: Path) -> None:
    """Nobody is left behind that waits for pairs which never come."""
    (folder / "parent.py").write_text(PARENT)
    command = [sys.executable, folder / "parent.py", folder / "p1.png", folder / "p2.png"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        ends = [os.pidfd_open(int(pid)) for pid in parent.stdout.readline().split()]
        parent.kill()
        left = set(ends)
        while left and (ended := select.select(left, [], [], 60)[0]):
            left -= set(ended)
    assert ends and not left


def test_an_audit_that_is_told_to_end_sends_its_workers_home(folder: Path) -> None:
    """As a service manager or `timeout` ends it: one line, no complaint of leaked semaphores, and what was compared is kept."""
    for n in range(4, 13):
        cv2.imwrite(str(folder / f"p{n}.png"), stickers(A, [(30 * n, 200)], 36))
    kept = folder / "kept.jsonl"
    code = "from companion.cli import main; main()"
    command = [sys.executable, "-c", code, "audit", str(folder), "--json", "--workers", "2", "--keep", str(kept)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        while not kept.exists() and running.poll() is None:   # until the first pair is compared
            with suppress(subprocess.TimeoutExpired):
                running.wait(0.1)
        running.send_signal(signal.SIGTERM)
        out, err = running.communicate(timeout=120)

    assert running.returncode == 128 + signal.SIGTERM and out == ""
    assert err.count("\n") == 1 and err.endswith("the same command goes on from there\n"), err
    assert json.loads(kept.read_text().splitlines()[0])["verdict"]["count"] is not None


def test_a_stopped_audit_goes_on_by_itself(folder: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C after two pairs: the same command asks only the third, and keeps nothing once all is told."""
    asked: list[Job] = []

    def stopped_at_the_third(job: Job) -> Verdict:
        asked.append(job)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return judge(job)

    monkeypatch.setattr(workers, "judge", stopped_at_the_third)
    first = audit(folder, "--json", "--workers", 1)
    again = audit(folder, "--json", "--workers", 1)

    assert isinstance(first.exception, click.Abort | KeyboardInterrupt) and "2 of 3" in first.stderr
    assert [(job.name_a, job.name_b) for job in asked[2:]] == [("p2.png", "p3.png")] * 2
    assert {(p["a"], p["b"]): p["count"] for p in json.loads(again.stdout)["pairs"]} == TRUE
    assert not list((own_cache / "table-companion" / "audits").iterdir())


def test_a_broken_picture_costs_only_its_own_pairs(folder: Path) -> None:
    """The first picture by name is cut off, one is a folder, one a link to itself: the other pairs are compared."""
    (folder / "a.png").write_bytes((folder / "p1.png").read_bytes()[:3000])
    (folder / "b.png").mkdir()
    (folder / "loop.png").symlink_to(folder / "loop.png")

    pairs = json.loads(audit(folder, "--json", "--workers", 1).output)["pairs"]

    whole = {(p["a"], p["b"]): p["count"] for p in pairs if not {"a.png", "loop.png"} & {p["a"], p["b"]}}
    assert whole == TRUE and len(pairs) == 10
    assert all(p["same_picture"] is None and p["error"] for p in pairs if (p["a"], p["b"]) not in whole)


def test_a_pack_is_audited_side_by_side(folder: Path) -> None:
    """Backs where every card has one; both sides on demand, fronts with fronts and backs with backs."""
    cards = "".join(f'[[card]]\nid = "{p[:2]}"\nfront = "{p}"\nback = "{p}"\n' for p in CARDS)
    (folder / "deck.toml").write_text(f'format = 1\ngame = "sherlook"\nname = "three"\n{cards}')

    usual = json.loads(audit(folder, "--json", "--workers", 1).output)["pairs"]
    both = json.loads(audit(folder, "--json", "--workers", 1, "--side", "both").output)["pairs"]

    assert {(p["a"] + ".png", p["b"] + ".png"): p["count"] for p in usual} == TRUE
    assert [(p["a"], p["b"]) for p in both][:3] == [("p1-front", "p2-front"), ("p1-front", "p3-front"), ("p2-front", "p3-front")]
    assert len(both) == 6


def test_a_pack_with_one_id_twice_is_refused(folder: Path) -> None:
    """Else one of the two cards would be lost without a word."""
    names = [p.name for p in sorted(folder.glob("*.png"))][:2]
    cards = "".join(f'[[card]]\nid = "p1"\nfront = "{name}"\n' for name in names)
    (folder / "deck.toml").write_text(f'format = 1\ngame = "sherlook"\nname = "two"\n{cards}')
    result = audit(folder)
    assert result.exit_code == 1 and "two cards have the id p1" in str(result.exception)


def test_a_file_that_holds_something_else_is_not_written_into(folder: Path, tmp_path: Path) -> None:
    """--keep names a list of verdicts, or nothing yet."""
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ada,")
    result = audit(folder, "--keep", letter)
    assert result.exit_code == 1 and "something else" in str(result.exception)
    assert letter.read_text() == "Dear Ada,"


def test_a_cluster_loses_nothing_when_a_worker_is_killed(folder: Path) -> None:
    """A real cluster, a worker killed in the midst: every pair once, each verdict with its hashes. Without the cluster: one line."""
    distributed = pytest.importorskip("distributed", reason=NO_CLUSTER)
    jobs = [Job(str(folder / p), str(folder / q), p, q) for p in CARDS for q in CARDS if p != q]
    alone = {(v.a, v.b): v for v in map(judge, jobs)}
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        said = []
        for verdict in run_on_cluster(jobs, scheduler=cluster.scheduler_address):
            said.append(verdict)
            if len(said) == 2:
                os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
        coming = run_on_cluster(jobs, scheduler=cluster.scheduler_address)
        next(coming)
    with pytest.raises(ClusterError, match="went away"):
        list(coming)

    assert len(said) == len(jobs) and {(v.a, v.b): v for v in said} == alone
    digest = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in CARDS}
    assert all((v.sha256_a, v.sha256_b) == (digest[v.a], digest[v.b]) for v in said)


@pytest.mark.parametrize("address", ["garbage", "", "tcp://", "tcp://host", "tcp://:8786", "10.0.0.5:8786", "tcp://a b:1"])
def test_what_is_no_address_of_a_scheduler_is_refused_at_once(folder: Path, address: str) -> None:
    """Before anything is looked for on a network."""
    result = audit(folder, "--scheduler", address)
    assert isinstance(result.exception, click.ClickException) and "tcp://10.0.0.5:8786" in result.exception.message


def test_an_unreachable_cluster_is_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The address, and what to do."""
    pytest.importorskip("distributed", reason=NO_CLUSTER)
    monkeypatch.setattr(workers, "REACHED_S", 0.5)
    result = audit(folder, "--scheduler", "tcp://127.0.0.1:9")

    assert "tcp://127.0.0.1:9" in str(result.exception) and "dask scheduler" in str(result.exception)

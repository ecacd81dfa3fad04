"""Workers that misbehave, for the tests of the audit; here so that a fresh process can import them."""

import os
import signal
from pathlib import Path

from vision.differences.many import Job, Verdict, judge


def stray_and_killed(job: Job) -> Verdict:
    """A worker that prints a stray line, and one that is killed the first time it meets the second card."""
    print("stray line")
    mark = Path(job.a).parent / "killed"
    if job.name_b == "p2.png" and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return judge(job)

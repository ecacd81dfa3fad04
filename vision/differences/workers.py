"""Who does the comparing: this process, a pool of processes, or the workers of a dask cluster.

A worker that dies costs only the time of its pairs: what was not answered is asked again, what was answered is not. Answers travel with
the question they belong to, so that no worker can answer with an earlier pair's verdict.
"""

import contextlib
import logging
import os
import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import Any

import cv2
from msgspec.structs import replace

from vision.differences.many import Job, Verdict, judge, not_compared

FRESH = get_context("spawn")  # a fork would copy OpenCV's threads in the midst of their work
DEATHS = 3  # a pair that was being compared when a worker died so often is given up
DIED = "the worker that compared them died each time; is there too little memory?"
ASKED_AT_ONCE = 8  # pairs a cluster's worker has before it: it never waits, and the scheduler holds few
REACHED_S = 15.0  # how long a cluster may take to answer, seconds


class ClusterError(RuntimeError):
    """A cluster that cannot be used, or no longer; the message is one line."""


def run(jobs: Iterable[Job], *, workers: int) -> Iterator[Verdict]:
    """The verdicts of all jobs, as they come; with one worker in this process, else in a pool."""
    if workers <= 1:
        yield from map(judge, jobs)
        return
    waiting = list(reversed(list(jobs)))
    deaths: dict[Job, int] = {}
    while waiting:
        asked: dict[Future[Verdict], Job] = {}
        try:
            with ProcessPoolExecutor(workers, mp_context=FRESH, initializer=_quiet) as pool:
                while waiting or asked:
                    while waiting and len(asked) < 2 * workers:
                        job = waiting.pop()
                        asked[pool.submit(judge, job)] = job
                    done, _ = wait(asked, return_when=FIRST_COMPLETED)
                    for future in done:
                        verdict = future.result()
                        del asked[future]
                        yield verdict
        except BrokenProcessPool:
            for job in asked.values():
                deaths[job] = deaths.get(job, 0) + 1
                if deaths[job] < DEATHS:
                    waiting.append(job)
                else:
                    yield not_compared(job, DIED)


def run_on_cluster(jobs: Sequence[Job], *, scheduler: str) -> Iterator[Verdict]:
    """The verdicts of all jobs, as they come from the workers of a dask cluster, which must see the files by the same paths.

    `scheduler` is its address, such as tcp://10.0.0.5:8786. Raises ClusterError where it cannot be reached or goes away.
    """
    try:
        from distributed import Client, KilledWorker, as_completed
    except ImportError as e:
        raise ClusterError("a cluster needs the package distributed; type: pip install 'table-companion[cluster]'") from e
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is told in one line, not in its traces
    try:
        client: Any = Client(scheduler, timeout=REACHED_S, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as e:
        raise ClusterError(f"{scheduler}: no scheduler answers there; start one with `dask scheduler`, workers with `dask worker`") from e
    with client:
        waiting = iter(jobs)
        asked: dict[Any, Job] = {}

        def ask(most: int) -> list[Any]:
            new = {client.submit(judge, _absolute(job), pure=False): job for job in islice(waiting, most)}
            asked.update(new)
            return list(new)

        coming: Any = as_completed(  # type: ignore[no-untyped-call]
            ask(ASKED_AT_ONCE * max(1, len(client.nthreads()))), loop=client.loop
        )
        for future in coming:
            job = asked.pop(future)
            try:
                verdict: Verdict = future.result()
            except KilledWorker:
                verdict = not_compared(job, DIED)
            except Exception as e:  # whatever went wrong over there, the other pairs go on
                if client.status != "running":
                    raise ClusterError(f"{scheduler}: the scheduler went away; start it again, then the same command goes on") from e
                verdict = not_compared(job, f"the worker failed: {type(e).__name__}: {e}".splitlines()[0])
            coming.update(ask(1))
            yield verdict


def _absolute(job: Job) -> Job:
    """The job as another machine with the same files understands it."""
    a, b, through = (os.path.abspath(path) if path else "" for path in (job.a, job.b, job.through))
    return replace(job, a=a, b=b, through=through)


def _quiet() -> None:
    """In a worker: one thread, Ctrl-C is the parent's, nothing that a library prints reaches the results, and none outlives the parent."""
    cv2.setNumThreads(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.dup2(2, 1)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that was killed can tell its workers nothing: they would wait for it for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)

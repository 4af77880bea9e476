"""Runs experiments on the machines of a Ray cluster. The tables are byte-identical to the tables of one machine.

    import ray, unolab
    ray.init(address="auto")
    result = unolab.ray.tournament(["heuristic", "mixbot"], seats=[2, 4], sets=1_000_000, out="whole")

The calling process controls the run: it splits the work into batches, counts their results in order, and writes checkpoints
(`resume`) and tables. A batch is a task for one processor. If a batch or its result is lost with a machine, it is played again.
`unolab` must be installed on every machine; agents that are files or programs are not sent.
"""

from __future__ import annotations

import contextlib
import functools
import json
import queue
import subprocess
import threading
from collections.abc import Callable, Mapping
from typing import Any

import ray as _the_ray

from . import _check, _command, _experiments, _tournament
from ._result import Result

_ray: Any = _the_ray
"""Untyped, because the types of Ray change from version to version."""

__all__ = ["balance", "league", "match", "sprt", "tournament"]

BATCHES_PER_PROCESSOR = 2
"""The number of batches sent per processor: the next one is transferred while one is played."""

MOST_BATCHES = 1024
"""The largest number of batches requested at once."""


class _Worker:
    """A process that plays batches of one job."""

    def __init__(self, job: bytes) -> None:
        self.job, self.stage = job, b""
        self._process = subprocess.Popen(
            _command.program(["worker"]),
            env=_command.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._say(job)

    def play(self, stage: bytes, batch: bytes) -> bytes:
        """Plays a batch, and returns its result as one line."""
        if self.stage != stage:
            self._say(stage)
            self.stage = stage
        self._say(batch)
        assert self._process.stdout is not None
        return self._process.stdout.readline() or self._fail()

    def end(self) -> None:
        """Ends the process."""
        with contextlib.suppress(OSError):
            self._process.communicate(timeout=10)

    def _say(self, line: bytes) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except BrokenPipeError:
            self._fail()

    def _fail(self) -> bytes:
        _, complaints = self._process.communicate()
        raise RuntimeError(complaints.decode(errors="replace").strip().removeprefix("error: ") or "the worker has died")


_worker: _Worker | None = None
"""The worker of this process, which Ray reuses for several tasks."""


def _play(job: bytes, stage: bytes, batch: bytes) -> bytes:
    """Plays a batch, as a Ray task."""
    global _worker
    if _worker is None or _worker.job != job:
        if _worker is not None:
            _worker.end()
        _worker = _Worker(job)
    try:
        return _worker.play(stage, batch)
    except RuntimeError:
        _worker = None
        raise


class _Cluster:
    """Runs a command on this machine whose batches are played by a cluster."""

    def __init__(self, num_shards: int | None) -> None:
        self._num_shards = 1 if num_shards is None else _check.natural("num_shards", num_shards, 1, 1_000_000)

    def __call__(self, words: list[str], threads: int, show: Callable[[int], None]) -> tuple[int, str]:
        if not _ray.is_initialized():
            _ray.init(log_to_driver=False)
        processors = int(_ray.cluster_resources().get("CPU", 1))
        at_once = threads or min(MOST_BATCHES, max(1, BATCHES_PER_PROCESSOR * processors))
        process = subprocess.Popen(
            _command.program([*words, f"--remote={self._num_shards}", f"--threads={at_once}"]),
            env=_command.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # an interrupt is passed on once, by `stop`
        )
        complaints: list[bytes] = []
        asked: queue.Queue[bytes | None] = queue.Queue()
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        listeners = [
            threading.Thread(target=_listen, args=(process.stdout, asked.put), daemon=True),
            threading.Thread(target=_listen, args=(process.stderr, lambda line: complaints.append(line or b"")), daemon=True),
        ]
        for listener in listeners:
            listener.start()
        try:
            self._serve(asked, process.stdin, show)
            status = process.wait()
        except BaseException:
            process.stdin.close()
            _command.stop(process)
            raise
        listeners[1].join()
        return status, b"".join(complaints).decode(errors="replace")

    def _serve(self, asked: queue.Queue[bytes | None], back: Any, show: Callable[[int], None]) -> None:
        """Sends the requested batches to the cluster and returns their results to the command, until the command ends."""
        play = _ray.remote(num_cpus=1, max_retries=-1)(_play)
        job: Any = None
        stage: Any = None
        done = 0
        out: dict[Any, tuple[Any, Any, bytes]] = {}
        while True:
            # Without outstanding batches, block until the next request.
            with contextlib.suppress(queue.Empty):
                while True:
                    line = asked.get(timeout=None if not out else 0.002)
                    if line is None:
                        return
                    if line.startswith(b'{"batch"'):
                        out[play.remote(job, stage, line)] = (job, stage, line)
                    elif line.startswith(b'{"stage"'):
                        stage = _ray.put(line)
                    elif line.startswith(b'{"job"'):
                        job = _ray.put(line)
                    else:
                        # The reports of different threads may arrive out of order.
                        done = max(done, _done(line))
                        show(done)
            ready, _ = _ray.wait(list(out), num_returns=len(out), timeout=0.01)
            for task in ready:
                what = out.pop(task)
                try:
                    answer = _ray.get(task)
                except _ray.exceptions.RayTaskError as error:
                    raise RuntimeError(str(error.cause)) from None
                except _ray.exceptions.RayError:
                    # The batch was lost with its machine, so it is submitted again.
                    out[play.remote(*what)] = what
                    continue
                with contextlib.suppress(BrokenPipeError):
                    back.write(answer)
                    back.flush()


def _listen(stream: Any, tell: Callable[[bytes | None], None]) -> None:
    for line in stream:
        tell(line)
    tell(None)


def _done(progress: bytes) -> int:
    """The number of finished sets in a line such as `{"progress":{"done":40,"of":100}}`."""
    return int(json.loads(progress)["progress"]["done"])


def _on_cluster(function: Callable[..., Result]) -> Callable[..., Result]:
    """The function, but run on a cluster."""

    @functools.wraps(function)
    def played(
        *args: Any, spec: Mapping[str, Any] | None = None, num_shards: int | None = None, **kwargs: Any
    ) -> Result:
        if spec is None and len(args) == 1 and isinstance(args[0], Mapping):
            spec, args = args[0], ()
        with _command.played_by(_Cluster(num_shards)):
            return function(*args, **{**_check.mapping("spec", spec), **kwargs})

    played.__doc__ = f"""{function.__doc__}

    Runs on the connected Ray cluster, or on a new one on this machine. The arguments may be given as one mapping, `spec`.
    `num_shards` is the minimum number of tasks into which the available work is divided; by default, a task takes a few
    seconds. `threads` is the number of tasks sent at once; 0 for twice the number of processors of the cluster.
    """
    return played


tournament = _on_cluster(_tournament.tournament)
match = _on_cluster(_tournament.match)
sprt = _on_cluster(_experiments.sprt)
league = _on_cluster(_experiments.league)
balance = _on_cluster(_experiments.balance)

"""Runs commands of `unolab` in a separate process, and reads their tables.

Therefore checkpoints and `resume` are available, and the command line writes a byte-identical directory.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeAlias

from . import _check
from ._agent import Agent
from ._result import Bar, Result

Variants: TypeAlias = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
"""An edition or a variant file, or several."""

UNITS = ("round", "match")
SEATINGS = ("rotate", "all", "neighbor")

Show = Callable[[int], None]
"""A function that receives the number of finished sets."""

Runner = Callable[[list[str], int, Show], tuple[int, str]]
"""A function that runs a command with these arguments and threads, and returns its exit status and error messages."""

_runner: ContextVar[Runner | None] = ContextVar("_runner", default=None)


@contextlib.contextmanager
def played_by(runner: Runner) -> Iterator[None]:
    """A context in which commands are run by this runner."""
    token = _runner.set(runner)
    try:
        yield
    finally:
        _runner.reset(token)


def is_elsewhere() -> bool:
    """Whether commands run somewhere other than on the threads of this machine."""
    return _runner.get() is not None


def program(words: Sequence[str], module: str = "unolab") -> list[str]:
    """The command line of a process that runs `unolab` with these arguments."""
    return [sys.executable, "-m", module, *words]


def environment() -> dict[str, str]:
    """The environment variables of such a process: Python must not import a directory `unolab` in the working directory."""
    return {**os.environ, "PYTHONSAFEPATH": "1"}


def run(
    command: str,
    options: Mapping[str, Any],
    out: str | os.PathLike[str] | None,
    threads: int,
    progress: bool | None,
) -> Result:
    """Runs a command, and reads its tables.

    Args:
        command: its name.
        options: the options by the names of their flags, with `_` for `-`. None and False omit the flag, True passes the flag
            without a value, and a list repeats the flag for each item.
        out: the directory of the results; None for a temporary one.
        threads: the number of threads; 0 for one per processor.
        progress: whether a bar is shown.
    """
    threads = _check.natural("threads", threads, 0, _check.MOST_THREADS)
    words = [command]
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(flag)
        elif value is not None and value is not False:
            values = value if isinstance(value, (list, tuple)) else [value]
            words += [f"{flag}={_text(name, value)}" for value in values]
    with contextlib.ExitStack() as stack:
        if out is None:
            directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="unolab-"))) / "run"
        else:
            directory = Path(_check.path("out", out))
        words.append(f"--out={directory}")
        bar = stack.enter_context(Bar(progress, options.get("sets")))
        runner = _runner.get() or (_here_followed if bar.is_shown else _here(bar.is_wanted))
        status, complaints = runner(words, threads, bar.show)
        if status == 130:
            raise KeyboardInterrupt
        if status not in (0, 1, 3):
            raise _error(command, status, complaints, options)
        tables = {path.name: path.read_text(encoding="utf-8") for path in sorted(directory.glob("*.csv")) if path.name != "games.csv"}
    return Result(tables, None if out is None else directory)


def _text(name: str, value: object) -> str:
    value = value.text if isinstance(value, Agent) else value
    if not isinstance(value, (str, int, float, os.PathLike)):
        raise TypeError(f"{name}: {value!r} is neither a text nor a number; only `tournament` and `match` accept Python policies")
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _error(command: str, status: int, complaints: str, options: Mapping[str, Any]) -> Exception:
    """The exception for a failed command, with the Python names of its options."""
    text = complaints.strip() or f"unolab {command} ended with status {status}"
    text = text.removeprefix("error: ").removesuffix("For more information, try '--help'.").rstrip()
    names = {name.replace("_", "-"): {"set": "overrides", "from": "start"}.get(name, name) for name in (*options, "out", "threads")}
    flags = "|".join(sorted(names, key=len, reverse=True))
    text = re.sub(r"--set (?=[a-z])", "overrides: ", text)
    text = re.sub(rf"--({flags})\b(?!-)( <[^>]*>)?", lambda found: names[found[1]], text)
    return ValueError(text) if status == 2 else RuntimeError(text)


def _here(with_bar: bool) -> Runner:
    """Runs commands on this machine. On a terminal, the command shows its own progress bar."""

    def runner(words: list[str], threads: int, _show: Show) -> tuple[int, str]:
        if threads:
            words = [*words, f"--threads={threads}"]
        is_seen = with_bar and sys.stderr.isatty()
        process = subprocess.Popen(
            program(words if is_seen else [*words, "--quiet"]),
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=None if is_seen else subprocess.PIPE,
            text=True,
            start_new_session=True,  # an interrupt is passed on once, below
        )
        try:
            _, complaints = process.communicate()
        except BaseException:
            stop(process)
            raise
        return process.returncode, complaints or ""

    return runner


def _here_followed(words: list[str], threads: int, show: Show) -> tuple[int, str]:
    """Runs a command on this machine, and reports the number of finished sets."""
    if threads:
        words = [*words, f"--threads={threads}"]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as complaints:
        process = subprocess.Popen(
            program([*words, "--quiet"], "unolab._followed"),
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
            start_new_session=True,  # an interrupt is passed on once, below
        )
        try:
            assert process.stdout is not None
            for line in process.stdout:
                show(int(line))
            status = process.wait()
        except BaseException:
            stop(process)
            raise
        complaints.seek(0)
        return status, complaints.read()


def stop(process: subprocess.Popen[Any]) -> None:
    """Interrupts a command, which then saves its counts, and waits until it ends."""
    with contextlib.suppress(ProcessLookupError):
        process.terminate()  # a shell's background processes ignore SIGINT, but not SIGTERM
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

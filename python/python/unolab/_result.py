"""The result of a run, and its progress bar."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

Row = dict[str, Any]


class Result:
    """The tables of a finished run.

    `summary`, `pairs`, `seats` and `ratings` are lists of dicts, one per row, with the columns of the CSV files of the same
    names; a cell without a value is NaN. `faults` has the first faults of each agent. `tracebacks` has each distinct
    exception of a policy once. `path` is the directory, if there is one.
    """

    def __init__(self, tables: dict[str, str], path: Path | None, tracebacks: Sequence[str] = ()) -> None:
        self._tables = {name.removesuffix(".csv"): _rows(text) for name, text in tables.items()}
        self.path = path
        self.tracebacks = list(tracebacks)

    @property
    def tables(self) -> list[str]:
        """The names of the tables."""
        return list(self._tables)

    def table(self, name: str) -> list[Row]:
        """The rows of a table."""
        if name == "faults":
            return self.faults
        if name not in self._tables:
            raise KeyError(f"unknown table {name!r}; tables: {', '.join(self._tables)}")
        return self._tables[name]

    @property
    def summary(self) -> list[Row]:
        """One row per entrant, variant and number of seats."""
        return self.table("summary")

    @property
    def pairs(self) -> list[Row]:
        """One row per pair of entrants."""
        return self.table("pairs")

    @property
    def seats(self) -> list[Row]:
        """One row per entrant and seat."""
        return self.table("seats")

    @property
    def ratings(self) -> list[Row]:
        """The rating of each entrant, one row per entrant."""
        return self.table("ratings")

    @property
    def faults(self) -> list[Row]:
        """One row per recorded fault."""
        return self._tables.get("faults", [])

    def to_pandas(self, name: str = "summary") -> Any:
        """A table as a `pandas.DataFrame`."""
        import pandas

        return pandas.DataFrame(self.table(name))

    def to_arrow(self, name: str = "summary") -> Any:
        """A table as a `pyarrow.Table`."""
        import pyarrow

        return pyarrow.Table.from_pylist(self.table(name))

    def plot(self, axes: Any = None) -> Any:
        """Plots each entrant's win share with its interval, and the fair share; needs matplotlib.

        Args:
            axes: the axes to draw in; by default in a new figure.

        Returns:
            The `matplotlib` axes.
        """
        from matplotlib import pyplot

        rows = self.summary
        if axes is None:
            _, axes = pyplot.subplots(figsize=(6.4, 1 + 0.32 * len(rows)), layout="constrained")
        several = len({(row["variant"], row["seats"]) for row in rows}) > 1
        for at, row in enumerate(rows):
            share, low, high = (100 * row[name] for name in ("win_share", "ci_low", "ci_high"))
            around = [[0], [0]] if math.isnan(low) else [[share - low], [high - share]]
            axes.errorbar([share], [at], xerr=around, fmt="o", color="C0", capsize=3)
            axes.plot([100 / row["seats"]] * 2, [at - 0.3, at + 0.3], color="grey", linewidth=1)
        names = [f"{row['entrant']}, {row['variant']}, {row['seats']}" if several else str(row["entrant"]) for row in rows]
        axes.set_yticks(range(len(rows)), names)
        axes.invert_yaxis()
        axes.set_xlabel("games won, %, with 95% intervals; gray: fair")
        return axes

    def __repr__(self) -> str:
        if "summary" not in self._tables:
            return f"Result with the tables {', '.join(self._tables)}"
        lines = [f"{'entrant':24} {'variant':12} seats   wins in %"]
        lines += [f"{row['entrant']!s:24} {row['variant']!s:12} {row['seats']:5}   {_percent(row)}" for row in self.summary]
        lines += self._warnings()
        return "\n".join(lines)

    def _warnings(self) -> list[str]:
        """A warning that names the entrants that lost games by faults, which `summary` does not show."""
        faults = self.faults
        names = sorted({str(row["entrant"]) for row in faults})
        return [f"games lost by faults: {', '.join(names)}; see .faults, the first: {faults[0]['what']}"] if faults else []

    def _repr_html_(self) -> str:
        if "summary" not in self._tables:
            return f"<code>{escape(repr(self))}</code>"
        columns = ("entrant", "variant", "seats", "games", "win_share", "ci_low", "ci_high")
        head = "".join(f"<th>{name}</th>" for name in columns)
        rows = (
            "<tr>" + "".join(f"<td>{_cell(row.get(name, ''))}</td>" for name in columns) + "</tr>" for row in self.summary
        )
        warnings = "".join(f"<p>{escape(warning)}</p>" for warning in self._warnings())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>{warnings}"


def _cell(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else escape(str(value))


def _percent(row: Row) -> str:
    share, low, high = (100 * row[name] for name in ("win_share", "ci_low", "ci_high"))
    return f"{share:.2f}" if math.isnan(low) else f"{share:.2f} [{low:.2f}, {high:.2f}]"


_NAMES = ("a", "agent", "arm", "b", "entrant", "field", "variant")
"""Columns whose values are names."""


def _rows(text: str) -> list[Row]:
    """The rows of a CSV file. Columns of numbers are converted; names such as `007` remain text."""
    rows: list[Row] = list(csv.DictReader(io.StringIO(text)))
    for name in rows[0] if rows else ():
        if name in _NAMES:
            continue
        cells = [row[name] for row in rows]
        for number in (int, float):
            try:
                numbers = [number(cell) if cell != "" else math.nan for cell in cells]
            except ValueError:
                continue
            if all(cell == "" for cell in cells):
                numbers = [math.nan] * len(cells)
            for row, value in zip(rows, numbers, strict=True):
                row[name] = value
            break
    return rows


class Bar:
    """A progress bar, if tqdm is installed and the output is a terminal or a notebook."""

    def __init__(self, wanted: bool | None, sets: int | None) -> None:
        self._bar: Any = None
        self.is_wanted = wanted is True or (wanted is None and (sets is None or sets >= 5_000))
        if not self.is_wanted:
            return
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return
        self._bar = tqdm(total=None, unit="deal", disable=None if wanted is None else False)

    @property
    def is_shown(self) -> bool:
        """Whether the bar is visible."""
        return self._bar is not None and not self._bar.disable

    def show(self, done: int) -> None:
        """Shows the number of finished sets."""
        if self._bar is not None:
            self._bar.update(done - self._bar.n)

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()



"""The data of the study reports: tables, each read once, and the formats of numbers.

Paths are relative to `results/`. Rows are selected by key columns; a missing file, row, or column raises an error that names it. A
number on a page is either a plain number or an `Estimate`, a value with the ends of its interval.
"""

import csv as csv_format
import functools
import json
import math
import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

RESULTS = Path(__file__).resolve().parent


class Missing(Exception):
    """A file, a row, or a column that a report uses and that does not exist."""


@dataclass(frozen=True)
class Estimate:
    """A value with its 95% interval; `proven` if it is significant after the correction for all comparisons of its table."""

    value: float
    low: float
    high: float
    proven: bool = False

    @property
    def half(self):
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def __mul__(self, factor):
        return replace(self, value=self.value * factor, low=self.low * factor, high=self.high * factor)

    def __sub__(self, constant):
        return replace(self, value=self.value - constant, low=self.low - constant, high=self.high - constant)

    def above(self, other):
        """Whether the whole interval is above a number, or above the interval of another estimate."""
        return self.low > getattr(other, "high", other)

    def below(self, other):
        """Whether the whole interval is below a number, or below the interval of another estimate."""
        return self.high < getattr(other, "low", other)

    def contains(self, number):
        """Whether the interval contains the number."""
        return self.low <= number <= self.high


def mean(estimates):
    """The mean of estimates, with its interval as for independent estimates."""
    value = sum(one.value for one in estimates) / len(estimates)
    half = math.sqrt(sum(one.half**2 for one in estimates)) / len(estimates)
    return Estimate(value, value - half, value + half)


def left_by(copies, seats):
    """The share that remains for one agent among copies that win this share each, in percent."""
    left = lambda share: 100 - (seats - 1) * share  # noqa: E731
    return Estimate(left(copies.value), left(copies.high), left(copies.low))


class Row:
    """A row of a table; its columns are attributes, converted to numbers if possible."""

    def __init__(self, table, cells):
        self.table, self.cells = table, cells

    def __getattr__(self, column):
        if column.startswith("__"):
            raise AttributeError(column)
        if column not in self.cells:
            raise Missing(f"{self.table} has no column {column}; it has {', '.join(self.cells)}")
        return number_or_text(self.cells[column])

    def __getitem__(self, column):
        return getattr(self, column)

    def estimate(self, column):
        """The value in this column, with the row's interval."""
        # A comparison that ties in every set has no p.
        proven = self.cells.get("p_holm", "") != "" and self.p_holm < 0.05
        value = getattr(self, column)
        if value == 0 and self.cells["ci_low"] == "" and self.cells.get("se") == "0.0":
            return Estimate(value, math.nan, math.nan)  # no set differs: nothing is above, below, or inside
        found = Estimate(value, self.ci_low, self.ci_high, proven)
        for name, cell in {column: found.value, "ci_low": found.low, "ci_high": found.high}.items():
            if not isinstance(cell, (int, float)):
                raise Missing(f"{self.table}: {name} is {cell!r} where a number is wanted")
        return found


class Table:
    """Rows with named columns."""

    def __init__(self, name, rows):
        self.name, self.all = name, [Row(name, cells) for cells in rows]

    def rows(self, **key):
        """The rows whose columns have these values, in the order of the file; at least one."""
        for column in key:
            if self.all and column not in self.all[0].cells:
                raise Missing(f"{self.name} has no column {column}; it has {', '.join(self.all[0].cells)}")
        found = index(self, tuple(key)).get(tuple(str(value) for value in key.values()), [])
        if not found:
            asked = ", ".join(f"{column} = {value}" for column, value in key.items())
            there = "; ".join(f"{column}: {', '.join(self.values(column))}" for column in key)
            raise Missing(f"{self.name} has no row with {asked}. It has {there}")
        return found

    def row(self, **key):
        """The one row whose columns have these values."""
        found = self.rows(**key)
        if len(found) > 1:
            asked = ", ".join(f"{column} = {value}" for column, value in key.items())
            raise Missing(f"{self.name} has {len(found)} rows with {asked} where one is wanted")
        return found[0]

    def values(self, column):
        """The distinct strings of a column, in the order of the file."""
        return list(dict.fromkeys(row.cells[column] for row in self.all))


@functools.cache
def index(table, columns):
    found = {}
    for row in table.all:
        found.setdefault(tuple(row.cells[column] for column in columns), []).append(row)
    return found


@functools.cache
def number_or_text(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def text_of(path):
    try:
        return (RESULTS / path).read_text()
    except OSError as error:
        raise Missing(f"results/{path} cannot be read: {error.strerror}") from None


@functools.cache
def csv(path):
    """A table of a step."""
    return Table(path, list(csv_format.DictReader(text_of(path).splitlines())))


@functools.cache
def markdown(path):
    """The table of a Markdown page. A number in it is its text without commas, "%" and "×"."""
    lines = [line for line in text_of(path).splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    plain = lambda cell: re.sub(r"^([\d,.]+) ?[%×]?$", lambda found: found[1].replace(",", ""), cell)  # noqa: E731
    return Table(path, [dict(zip(cells[0], map(plain, row))) for row in cells[2:]])


@functools.cache
def bench(path):
    """The results that `unolab bench --json` wrote, as a table."""
    results = json.loads(text_of(path))["tables"]["bench"]
    return Table(path, [{name: str(value) for name, value in one.items()} for one in results])


@functools.cache
def toml(path):
    """A TOML file."""
    return tomllib.loads(text_of(path))


@functools.cache
def step(study, out):
    """The options of a study's command by name, without the dashes: the last value of each, as a string."""
    for one in toml(f"{study}/study.toml")["step"]:
        if one["out"] == out:
            words = one["command"].split()
            return {name[2:]: value for name, value in zip(words, words[1:]) if name.startswith("--")}
    raise Missing(f"{study}/study.toml has no step with out = {out!r}")


@functools.cache
def variant(directory, name=None):
    """The rules of a variant in a step: the variant with this name, or the only one."""
    played = json.loads(text_of(f"{directory}/run.json"))["spec"]["variants"]
    found = [one for one in played if name in (None, one["name"])]
    if len(found) != 1:
        there = ", ".join(one["name"] for one in played)
        raise Missing(f"{directory}/run.json has the variants {there}, where {name or 'one'} is wanted")
    return tomllib.loads(found[0]["rules"])


# ---- formats of numbers ----


def number(value, digits=0):
    """1,234.5, with a proper minus sign."""
    return f"{value:,.{digits}f}".replace("-", "−")


def signed(value, digits=1):
    """With its sign, + or −."""
    return f"{value:+,.{digits}f}".replace("-", "−")


def per_cent(value, digits=1):
    """A fraction as a percentage, without the percent sign."""
    return number(100 * value, digits)


def pm(estimate, digits=1):
    """57.0 ± 0.4"""
    return f"{number(estimate.value, digits)} ± {number(estimate.half, digits)}"


def signed_pm(estimate, digits=1):
    """+1.9 ± 0.5"""
    return f"{signed(estimate.value, digits)} ± {number(estimate.half, digits)}"


def difference(estimate, digits=1):
    """+1.9 ± 0.5 *: with an asterisk if it is significant after the correction."""
    return signed_pm(estimate, digits) + (" *" if estimate.proven else "")


def interval(estimate, digits=1):
    """[56.6, 57.4]"""
    return f"[{number(estimate.low, digits)}, {number(estimate.high, digits)}]"


def bounds(estimate, digits=1):
    """57.0 [56.6, 57.4]"""
    return f"{number(estimate.value, digits)} {interval(estimate, digits)}"


def words(count):
    """A small count in words."""
    names = "none one two three four five six seven eight nine ten eleven twelve".split()
    return names[count] if count < len(names) else number(count)


def listed(texts):
    """one; one and two; one, two, and three"""
    texts = [str(text) for text in texts]
    return " and ".join(texts) if len(texts) < 3 else ", ".join(texts[:-1]) + ", and " + texts[-1]


def names(texts):
    """`one`, `two`, and `three`"""
    return listed([f"`{text}`" for text in texts]) if texts else "none"


def heads(seats):
    """The headers of a table's columns: 2 players | 4 | 6"""
    return " | ".join([f"{seats[0]} players", *map(str, seats[1:])])


def rules(columns):
    """The separator below the headers of columns with numbers."""
    return "--:|" * len(columns)


def fair(seats):
    """The fair share of a seat, in percent."""
    return 100 / seats


# The sources and the number formats of a template, in addition to the names of its page.py.
SOURCES = [csv, markdown, bench, toml, step, variant, mean]
FORMATS = [number, signed, per_cent, pm, signed_pm, difference, interval, bounds, words, listed, names, heads, rules, fair]

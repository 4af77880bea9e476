"""The ranges of the report on the reference model; adjacent ranges are joined."""

from tables import csv


def runs():
    return csv("differential/sheets.csv").all


def ranges():
    """First and last sheet, number of valid sheets, turns, and differences."""
    joined = []
    for run in runs():
        if joined and run.first == joined[-1]["last"] + 1:
            last = joined[-1]
            last["last"] = run.last
            for sum_of in ("sensible", "turns", "differences"):
                last[sum_of] += getattr(run, sum_of)
        else:
            joined.append({name: getattr(run, name) for name in ("first", "last", "sensible", "turns", "differences")})
    return joined

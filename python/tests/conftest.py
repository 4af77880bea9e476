"""Shared fixtures and helpers."""

from __future__ import annotations

import pytest

import unolab

EDITIONS = unolab.variants()
EXPLICIT = ["uno.calls=explicit", "house.jump_in=true"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="the long tests too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--all"):
        return
    skip = pytest.mark.skip(reason="long: needs --all")
    for item in items:
        if "long" in item.keywords:
            item.add_marker(skip)


def most_seats(variant: str) -> int:
    """The largest number of seats that a variant allows."""
    for seats in range(10, 1, -1):
        try:
            unolab.Round(variant, seats, 0)
        except ValueError:
            continue
        return seats
    raise AssertionError(variant)

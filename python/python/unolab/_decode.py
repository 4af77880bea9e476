"""`decode`: an observation as a dict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _check

_COLORS = ("red", "yellow", "green", "blue")
_COUNTS = ("sum", "passes", "draw_pile", "reshuffles")
_PLACES = ("hand_len", "missed_turns", "score")
_MARKS = ("uncalled", "passed", "partner")


def decode(row: npt.ArrayLike, spec: Mapping[str, Any]) -> dict[str, Any]:
    """The contents of an observation, by name.

    Args:
        row: one row of `obs` or `final_obs`, or a `Round.tensor`.
        spec: the `spec` of the environment or the round.

    Returns:
        The keys of `Round.observation` except `legal`, with seats by number, and `card`, `color_before`, `played_by`, `sum`,
        `passes`, `reshuffles`, `dead_word`, `passed`, `partners`, `missed_turns`, `score` (in 255ths of the target). `history`
        lists the events, the newest first. At a `call` decision, `drawn` is None, and `card` is the card to be played.

    Raises:
        ValueError: the row is not of this spec, or players have been eliminated or are out of the round, so their
            places do not give seat numbers.
    """
    if "blocks" not in _check.mapping("spec", spec):
        raise ValueError("spec: it has no blocks; needed: the spec of an environment or a round")
    given = np.asarray(row)
    if given.shape != (spec["obs_size"],) or not spec["obs_size"]:
        raise ValueError(f"row: shape {given.shape}; needed: ({spec['obs_size']},), one row of an environment with this spec")
    parts = {block["name"]: given[block["offset"] :][: block["len"]] for block in spec["blocks"]}
    if parts["own_seat"].sum() != 1:
        raise ValueError("row: own_seat has no mark; needed: an observation (rows of final_obs are zero until a game ends)")
    cards, own = spec["cards"], int(parts["own_seat"].argmax())
    seats = _num_seats(parts, spec)
    step = -1 if parts["direction"][0] else 1

    def at(place: int) -> int:
        return (own + step * place) % seats

    def codes(counts: npt.NDArray[Any]) -> list[str]:
        return [code for code, count in zip(cards, counts, strict=True) for _ in range(int(count))]

    def one(part: str, names: Any) -> Any:
        marks = np.flatnonzero(parts[part])
        return names[marks[0]] if marks.size else None

    def by_seat(values: npt.NDArray[Any]) -> list[int]:
        found = [0] * seats
        for place in range(seats):
            found[at(place)] = int(values[place])
        return found

    def seat_of(part: str) -> int | None:
        marks = np.flatnonzero(parts[part])
        return at(int(marks[0])) if marks.size else None

    decision = one("decision", spec["decisions"])
    card = one("card", cards)
    known: list[list[str]] = [[] for _ in range(seats)]
    for place, counts in enumerate(parts["known"].reshape(-1, len(cards))[: seats - 1], 1):
        known[at(place)] = codes(counts)
    found: dict[str, Any] = {
        "seat": own,
        "hand": codes(parts["hand"]),
        "top": one("top", cards),
        "color": one("color", (*_COLORS, None)),
        "direction": "right" if step < 0 else "left",
        "to_act": seat_of("to_act"),
        "decision": None if decision == "over" else decision,
        "drawn": card if decision == "drawn" else None,
        "card": card,
        "color_before": one("decision_color", _COLORS),
        "played_by": seat_of("played_by"),
        "hand_sizes": by_seat(parts["hand_len"]),
        "known": known,
        "discard_pile": codes(parts["discard"]),
        "dealer": seat_of("dealer"),
        "dead_word": bool(parts["dead_word"][0]),
        "missed_turns": by_seat(parts["missed_turns"]),
        "score": by_seat(parts["score"]),
    }
    found |= {name: int(parts[name][0]) for name in _COUNTS}
    for name in _MARKS:
        marked = sorted(at(int(place)) for place in np.flatnonzero(parts[name]))
        found["partners" if name == "partner" else name] = marked
    events = parts["history"].reshape(-1, len(spec["events"]))
    found["history"] = [_event(event, spec, at) for event in events if event[0]]
    return found


def _num_seats(parts: Mapping[str, npt.NDArray[Any]], spec: Mapping[str, Any]) -> int:
    """The number of seats at the row's table. With several tables, it may be smaller than the number of seats in the spec."""
    several = sorted({table["seats"] for table in spec.get("tables", ())} or {spec["seats"]})
    used = 1 + max(int(np.flatnonzero(parts[name]).max(initial=0)) for name in ("hand_len", "dealer", "to_act"))
    fitting = [seats for seats in several if seats >= used]
    if len(several) > 1 and len(fitting) > 1 and np.count_nonzero(parts["hand_len"]) < used:
        raise ValueError(f"row: several tables fit it; needed: the spec with \"seats\" as one of {fitting} and no \"tables\"")
    seats = fitting[0]
    if np.count_nonzero(parts["hand_len"]) < seats:
        rules = [spec.get("rules", ""), *(table["rules"] for table in spec.get("tables", ()))]
        is_match = spec.get("options", {}).get("unit") == "match"
        if is_match and any('"elimination"' in text for text in rules):
            raise ValueError("row: players may have been eliminated from this match; needed: a row in which all seats hold cards")
        if any("hand_limit" in text for text in rules):
            raise ValueError("row: players may be out of this round; needed: a row in which all seats hold cards")
    return int(seats)


def _event(event: npt.NDArray[Any], spec: Mapping[str, Any], at: Any) -> dict[str, Any]:
    """An event as a dict; fields that do not apply to it are omitted."""
    kind, seat, card, color, other, flag = (int(byte) for byte in event)
    found: dict[str, Any] = {"kind": spec["events"][0]["kinds"][kind]}
    if seat:
        found["seat"] = at(seat - 1)
    if card:
        found["card"] = spec["cards"][card - 1]
    if color:
        found["color"] = _COLORS[color - 1]
    if other:
        found["other"] = at(other - 1)
    if flag:
        found["flag"] = True
    return found

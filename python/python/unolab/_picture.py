"""A position as text, as HTML, and as an image. Only NumPy is needed."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]

_CARD_COLORS = {"r": (200, 40, 40), "y": (235, 195, 30), "g": (40, 150, 60), "b": (40, 90, 190)}
_NAMED = {"red": "r", "yellow": "y", "green": "g", "blue": "b"}
_DARK, _BACK, _FELT, _PALE, _WHITE = (25, 25, 25), (95, 95, 105), (225, 232, 226), (250, 250, 250), (255, 255, 255)

# Letters of three by five pixels: one digit per row, whose bits are its pixels.
_FONT = {
    "0": "75557", "1": "26227", "2": "71747", "3": "71717", "4": "55711", "5": "74717", "6": "74757", "7": "71222",
    "8": "75757", "9": "75717", "A": "25755", "B": "65656", "C": "34443", "D": "65556", "E": "74647", "F": "74644",
    "G": "34553", "H": "55755", "I": "72227", "J": "11152", "K": "55655", "L": "44447", "M": "57755", "N": "65555",
    "O": "25552", "P": "65644", "Q": "25563", "R": "65655", "S": "34216", "T": "72222", "U": "55557", "V": "55552",
    "W": "55775", "X": "55255", "Y": "55222", "Z": "71247", "-": "00700", "+": "02720", ">": "42124", "<": "12421",
    "?": "71302", ".": "00002", ":": "02020", "/": "11244", "*": "52525",
}  # fmt: skip


class Seat(NamedTuple):
    """A seat: its cards, or only their number if they are hidden."""

    number: int
    cards: list[str] | None
    size: int
    decides: bool


class TableView(NamedTuple):
    """The parts of a position that are shown."""

    seats: list[Seat]
    top: str
    color: str | None
    direction: str
    draw_pile: int
    decision: str | None


def as_seen(observation: dict[str, Any]) -> TableView:
    """The position that one seat observes, from `Round.observation` or `decode`."""
    own = observation["seat"]
    hands = [observation["hand"] if seat == own else None for seat in range(len(observation["hand_sizes"]))]
    return _view(observation, hands)


def as_it_is(observations: Sequence[dict[str, Any]]) -> TableView:
    """The position with all hands, from the observations of all seats."""
    deciding = next((seen for seen in observations if seen["seat"] == seen["to_act"]), observations[0])
    return _view(deciding, [seen["hand"] for seen in observations])


def _view(seen: dict[str, Any], hands: Sequence[list[str] | None]) -> TableView:
    seats = [
        Seat(number, hand, seen["hand_sizes"][number], number == seen["to_act"]) for number, hand in enumerate(hands)
    ]
    return TableView(seats, seen["top"], seen["color"], seen["direction"], seen["draw_pile"], seen["decision"])


def text(view: TableView) -> str:
    """The position as text, with one line per seat."""
    color = view.color or "any color"
    lines = [f"top {view.top} ({color})  draw pile {view.draw_pile}  direction {view.direction}"]
    for seat in view.seats:
        mark = ">" if seat.decides else " "
        cards = " ".join(seat.cards) if seat.cards is not None else f"{seat.size} cards"
        decision = f"  [{view.decision}]" if seat.decides and view.decision else ""
        lines.append(f"{mark} seat {seat.number}: {cards}{decision}")
    return "\n".join(lines)


def as_html(view: TableView) -> str:
    """The position as HTML, for notebooks."""

    def card(code: str, color: str | None = None) -> str:
        red, green, blue = _color(code, color)
        style = f"background:rgb({red},{green},{blue});color:#fff;border-radius:3px;padding:1px 4px;margin:1px"
        return f'<span style="{style}">{html.escape(code)}</span>'

    rows = []
    for seat in view.seats:
        cards = " ".join(map(card, seat.cards)) if seat.cards is not None else f"{seat.size} cards"
        decision = html.escape(view.decision or "") if seat.decides else ""
        rows.append(f"<tr><td>seat {seat.number}</td><td>{decision}</td><td style='text-align:left'>{cards}</td></tr>")
    head = f"top {card(view.top, view.color)}, draw pile {view.draw_pile}, direction {view.direction}"
    return f"<div>{head}</div><table>{''.join(rows)}</table>"


def rgb(view: TableView) -> Picture:
    """The position as an image (height, width, 3): the top card, and below it a row of cards per seat."""
    per_row = 14
    rows_of = [max(1, -(-(len(seat.cards) if seat.cards is not None else seat.size) // per_row)) for seat in view.seats]
    height, width = 44 + sum(30 * rows + 4 for rows in rows_of), 40 + 24 * per_row
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = _FELT
    _card(picture, 8, 6, view.top, view.color)
    _write(picture, 14, 40, f"DRAW PILE {view.draw_pile}", _DARK)
    _write(picture, 26, 40, f"{view.direction} {view.decision or 'over'}".upper(), _DARK)
    y = 40
    for seat, rows in zip(view.seats, rows_of, strict=True):
        if seat.decides:
            picture[y - 1 : y + 30 * rows + 1, 2:] = _PALE
        _write(picture, y + 10, 6, f"{'>' if seat.decides else ''}{seat.number}", _DARK)
        count = len(seat.cards) if seat.cards is not None else seat.size
        for i in range(count):
            code = seat.cards[i] if seat.cards is not None else None
            _card(picture, y + 2 + 30 * (i // per_row), 34 + 24 * (i % per_row), code, None)
        y += 30 * rows + 4
    return picture


def _color(code: str, named: str | None) -> tuple[int, int, int]:
    return _CARD_COLORS.get(_NAMED.get(named or "", code[0]), _DARK)


def _card(picture: Picture, y: int, x: int, code: str | None, named: str | None) -> None:
    """Draws a card of 20 by 26 pixels; without a code, the back of a card."""
    picture[y : y + 26, x : x + 20] = _WHITE
    picture[y + 1 : y + 25, x + 1 : x + 19] = _BACK if code is None else _color(code, named)
    if code is not None:
        face = code if code[0] not in _CARD_COLORS else code[1:]
        _write(picture, y + 8, x + 10 - (4 * len(face[:2]) - 1), face[:2].upper(), _WHITE)


def _write(picture: Picture, y: int, x: int, words: str, color: tuple[int, int, int]) -> None:
    """Draws letters of six by ten pixels."""
    for letter in words:
        glyph = _FONT.get(letter.upper(), "00000")
        points = np.array([[int(row) >> bit & 1 for bit in (2, 1, 0)] for row in glyph], bool)
        points = points.repeat(2, axis=0).repeat(2, axis=1)
        part = picture[y : y + 10, x : x + 6]
        part[points[: part.shape[0], : part.shape[1]]] = color
        x += 8

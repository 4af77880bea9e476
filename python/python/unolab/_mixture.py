"""Environments at different tables: each row has its own variant and number of seats, and all rows have one layout."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _native

Array = npt.NDArray[Any]
Arrays = tuple[Array, ...]

_BY_CARD = ("hand", "discard", "top", "card")
_BY_SEAT = ("played_by", "to_act", "own_seat", "hand_len", "uncalled", "dealer", "partner", "passed", "missed_turns", "score")


class Table(NamedTuple):
    """A variant and a number of seats."""

    variant: str
    seats: int


class _Part:
    """The rows of one table."""

    def __init__(self, batch: _native.Batch, rows: Array) -> None:
        self.batch, self.rows = batch, rows
        self.columns = self.cards = self.ids = self.own_ids = np.zeros(0, np.int64)
        n, obs, actions = len(rows), batch.obs_size, batch.num_actions
        self.spec: dict[str, Any] = json.loads(batch.spec)
        self.seats: int = self.spec["seats"]
        full = self.seats if self.spec["options"].get("outputs") == "full" else 0
        self.arrays: Arrays = (
            np.zeros((n, obs), np.uint8),
            np.zeros((n, batch.mask_size), np.uint8),
            np.zeros(n, np.int8),
            np.full((n, actions), -1, np.int16),
            np.zeros(n, np.int16),
            np.zeros((n, self.seats), np.float32),
            np.zeros(n, np.float32),
            np.zeros(n, np.bool_),
            np.zeros(n, np.bool_),
            np.zeros((n, obs), np.uint8),
            np.zeros((n, full, obs), np.uint8),
        )


class Mixture:
    """Batches for several tables, with the interface of a single batch.

    Cards and actions with the same name have the same position in the arrays. Blocks with one entry per seat have the length
    for the largest table. Entries for seats and cards that a table does not have are zero.
    """

    def __init__(self, tables: Sequence[Table], table_of_row: Array, seeds: Array, numbers: Array, make: Any) -> None:
        self.table_of_row = table_of_row
        one = np.zeros(1, np.uint64)
        shapes: list[dict[str, Any]] = []
        self._parts: list[_Part] = []
        for index, table in enumerate(tables):
            rows = np.flatnonzero(table_of_row == index)
            batch = make(table, seeds[rows], numbers[rows]) if rows.size else make(table, one, one)
            part = _Part(batch, rows)
            shapes.append(part.spec)
            if rows.size:
                self._parts.append(part)
        self._samples = np.random.default_rng(int(seeds[0]))
        self._describe(tables, shapes)

    def _describe(self, tables: Sequence[Table], shapes: list[dict[str, Any]]) -> None:
        cards = list(dict.fromkeys(code for shape in shapes for code in shape["cards"]))
        names = list(dict.fromkeys(name for shape in shapes for name in shape["actions"]))
        seats = max(table.seats for table in tables)
        blocks: list[dict[str, Any]] = []
        offset = 0
        for index, block in enumerate(shapes[0]["blocks"]):
            sizes = {**dict.fromkeys(_BY_CARD, len(cards)), **dict.fromkeys(_BY_SEAT, seats), "known": len(cards) * (seats - 1)}
            size = sizes.get(block["name"], block["len"])
            largest = max(shape["blocks"][index]["max"] for shape in shapes)
            blocks.append({**block, "offset": offset, "len": size, "max": largest})
            offset += size
        self.obs_size, self.num_actions, self.action_names = offset, len(names), names
        self.mask_size = len(names) if self._parts[0].batch.mask_size else 0
        place = {block["name"]: block["offset"] for block in blocks}
        for part in self._parts:
            shape = part.spec
            kinds = np.array([cards.index(code) for code in shape["cards"]])
            columns = []
            for block in shape["blocks"]:
                inner = np.arange(block["len"])
                if block["name"] in _BY_CARD:
                    inner = kinds
                elif block["name"] == "known":
                    inner = (np.arange(shape["seats"] - 1)[:, None] * len(cards) + kinds).ravel()
                columns.append(place[block["name"]] + inner)
            part.columns = np.concatenate(columns) if columns else np.zeros(0, np.int64)
            part.cards = np.concatenate(([0], kinds + 1)).astype(np.uint8)
            part.ids = np.array([*(names.index(name) for name in shape["actions"]), -1], np.int16)
            part.own_ids = np.full(len(names) + 1, -1, np.int64)
            part.own_ids[part.ids[:-1]] = np.arange(len(shape["actions"]))
        self._history = place.get("history", 0)
        events = shapes[0]["events"]
        events[1]["max"] = events[4]["max"] = seats
        events[2]["max"] = len(cards)
        common = ("decisions", "generator", "history", "layout", "options", "version")
        spec = {name: shapes[0][name] for name in common} | {
            "actions": names,
            "blocks": blocks,
            "cards": cards,
            "events": events,
            "obs_size": self.obs_size,
            "seats": seats,
            "tables": [{name: shape[name] for name in ("variant", "seats", "rules", "rules_hash")} for shape in shapes],
        }
        self.spec = json.dumps(spec, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    def _show(self, part: _Part, arrays: Arrays, rows: Array | None = None) -> None:
        """Copies all rows of a part, or the given rows, into the common arrays."""
        which = np.arange(len(part.rows)) if rows is None else rows
        if not which.size:
            return
        at = part.rows[which]
        obs, mask, to_play, legal, num_legal, rewards, learner, terminated, truncated, final, full = arrays
        own = part.arrays
        if obs.shape[1]:
            obs[at] = self._rows(part, own[0][which])
            final[at] = self._rows(part, own[9][which])
        ended = self._has_ended(part)[which]
        if mask.shape[1]:
            wide = np.zeros((len(which), mask.shape[1]), np.uint8)
            wide[:, part.ids[:-1]] = own[1][which]
            wide[ended] = 1
            mask[at] = wide
        legal[at] = -1
        legal[at, : own[3].shape[1]] = part.ids[own[3][which]]
        legal[at[ended]] = np.arange(self.num_actions)
        to_play[at], num_legal[at] = own[2][which], np.where(ended, self.num_actions, own[4][which])
        rewards[at] = 0
        rewards[at, : part.seats] = own[5][which]
        learner[at], terminated[at], truncated[at] = own[6][which], own[7][which], own[8][which]
        if full.shape[1]:
            full[at] = 0
            seen = own[10][which]
            full[at, : part.seats] = self._rows(part, seen.reshape(-1, seen.shape[2])).reshape(*seen.shape[:2], -1)

    @staticmethod
    def _has_ended(part: _Part) -> Array:
        """Whether the game of each row has ended and the next one has not begun; every action is then accepted and ignored."""
        ended: Array = (part.arrays[7] | part.arrays[8]) & (part.arrays[4] == part.arrays[3].shape[1])
        return ended

    def _rows(self, part: _Part, own: Array) -> Array:
        rows = np.zeros((len(own), self.obs_size), np.uint8)
        rows[:, part.columns] = own
        numbers = rows[:, self._history + 2 :: 6] if self._history < self.obs_size else rows[:, :0]
        numbers[:] = part.cards[numbers]
        return rows

    def show(self, arrays: Arrays) -> None:
        """As `Batch.show`."""
        for part in self._parts:
            part.batch.show(part.arrays)
            self._show(part, arrays)

    def reset(self, which: Array, arrays: Arrays) -> None:
        """As `Batch.reset`."""
        for part in self._parts:
            part.batch.reset(which[part.rows], part.arrays)
            self._show(part, arrays)

    def step(self, actions: Array, illegal_loses: bool, arrays: Arrays) -> tuple[int, int, int, list[int]] | None:
        """As `Batch.step`."""
        own = [self._own_ids(part, actions) for part in self._parts]
        if not illegal_loses:
            for part, ids in zip(self._parts, own, strict=True):
                is_legal = (part.arrays[3] == ids[:, None]).any(axis=1) & (ids >= 0)
                if not is_legal.all():
                    row = int(np.flatnonzero(~is_legal)[0])
                    legal = part.ids[part.arrays[3][row][: part.arrays[4][row]]].tolist()
                    return int(part.rows[row]), int(part.arrays[2][row]), int(actions[part.rows[row]]), legal
        for part, ids in zip(self._parts, own, strict=True):
            part.batch.step(ids, illegal_loses, part.arrays)
            self._show(part, arrays)
        return None

    def _own_ids(self, part: _Part, actions: Array) -> Array:
        """The actions as ids of the part's table; -1 for an action that it does not have, and any id in an ended row."""
        given = actions[part.rows]
        known = np.where((given >= 0) & (given < self.num_actions), given, self.num_actions)
        ids = part.own_ids[known]
        return np.where(self._has_ended(part), 0, ids)

    def waiting(self) -> Array:
        """As `Batch.waiting`."""
        waiting = np.full(len(self.table_of_row), -1, np.int16)
        for part in self._parts:
            waiting[part.rows] = part.batch.waiting()
        return waiting

    def continue_games(self, actions: Array, arrays: Arrays) -> int | None:
        """As `Batch.continue_games`."""
        for part in self._parts:
            ids = np.where(actions[part.rows] < 0, -1, self._own_ids(part, actions))
            wrong = part.batch.continue_games(ids, part.arrays)
            if wrong is not None:
                return int(part.rows[wrong])
            self._show(part, arrays, np.flatnonzero(ids >= 0))
        return None

    def sample(self, legal: Array, num_legal: Array, seed: int | None) -> npt.NDArray[np.int32]:
        """As `Batch.sample`."""
        rng = self._samples if seed is None else np.random.default_rng(seed)
        chosen = (rng.random(len(legal)) * num_legal).astype(np.int64)
        return legal[np.arange(len(legal)), chosen].astype(np.int32)

    def round(self, env: int) -> _native.Round:
        """As `Batch.round`."""
        part, row = self.locate(env)
        return part.batch.round(row)

    def locate(self, env: int) -> tuple[_Part, int]:
        """The part that contains a row, and the row's index in it."""
        for part in self._parts:
            found = np.flatnonzero(part.rows == env)
            if found.size:
                return part, int(found[0])
        raise IndexError(env)

    def parts(self) -> list[tuple[_native.Batch, Array, Array]]:
        """For each table, its batch, its rows, and the common ids of its actions."""
        return [(part.batch, part.rows, part.ids[:-1]) for part in self._parts]

    def state(self) -> tuple[Any, Any]:
        """As `Batch.state`."""
        return [part.batch.state() for part in self._parts], self._samples.bit_generator.state

    def restore(self, games: Any, samples: Any) -> None:
        """As `Batch.restore`."""
        for part, state in zip(self._parts, games, strict=True):
            part.batch.restore(*state)
        self._samples.bit_generator.state = samples

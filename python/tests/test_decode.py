"""`decode` and the descriptions in `spec`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import EDITIONS, EXPLICIT, most_seats

import unolab

TABLES = [(variant, seats) for variant in EDITIONS for seats in sorted({2, most_seats(variant)})]


@pytest.mark.parametrize(("variant", "seats"), TABLES)
@pytest.mark.parametrize("overrides", [[], EXPLICIT])
def test_decoded_tensor_equals_observation(variant, seats, overrides):
    rng = np.random.default_rng(3)
    round = unolab.Round(variant, seats, 11, overrides)
    spec = round.spec
    for _ in range(250):
        for seat in range(seats):
            seen = round.observation(seat)
            found = unolab.decode(round.tensor(seat), spec)
            assert set(seen) - set(found) == {"legal"}
            # At a call, the card is the one to play, whether or not it was just drawn.
            names = set(seen) - {"legal"} - ({"drawn"} if seen["decision"] == "call" else set())
            assert {name: found[name] for name in names} == {name: seen[name] for name in names}
        if round.is_terminal:
            break
        round.apply(int(rng.choice(round.legal_actions())))


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_every_byte_is_decoded_and_below_maximum(variant, seats):
    env = unolab.VecEnv(variant, seats, 64, history=4, overrides=EXPLICIT, voluntary_draw=True)
    blocks = env.spec["blocks"]
    assert sum(block["len"] for block in blocks) == env.obs_size
    assert all(block["meaning"] and block["order"] for block in blocks)
    largest = np.concatenate([np.full(block["len"], block["max"]) for block in blocks])
    events = [byte["max"] for byte in env.spec["events"]]
    largest[blocks[-1]["offset"] :] = events * 4
    assert all(byte["meaning"] and byte["order"] for byte in env.spec["events"])
    env.reset()
    for _ in range(150):
        assert (env.step(env.sample())[0] <= largest).all()


def test_decoded_history_names_last_events():
    env = unolab.VecEnv("classic", 2, 1, seed=4, history=12)
    obs, info = env.reset()
    for _ in range(20):
        name = env.action_names[info["legal"][0, 0]]
        seat = int(info["to_play"][0])
        obs, _, terminated, _, info = env.step(info["legal"][:, 0])
        if terminated[0]:
            continue
        events = unolab.decode(obs[0], env.spec)["history"]
        acted = [event for event in events if event.get("seat") == seat]
        words = name.split()
        kinds = [event["kind"] for event in acted]
        assert ("draw" if words[0] == "draw" else words[0]) in [kind.split()[0] for kind in kinds]
        if words[0] == "play":
            assert words[1] in [event.get("card") for event in acted]


@pytest.mark.parametrize("row", [np.zeros(3), "size", None])
def test_row_of_wrong_size_is_rejected(row):
    spec = unolab.Round("classic", 2, 1).spec
    given = np.zeros(spec["obs_size"]) if isinstance(row, str) else row
    with pytest.raises((ValueError, TypeError), match="row: "):
        unolab.decode(given, spec)


def test_row_with_players_out_of_round_is_rejected():
    rng = np.random.default_rng(3)
    round = unolab.Round("classic", 3, 11, ["house.hand_limit=8"])
    while 0 not in round.observation(0)["hand_sizes"]:
        round.apply(int(rng.choice(round.legal_actions())))
    assert sum(round.returns()) == int(round.is_terminal)
    with pytest.raises(ValueError, match="out of this round"):
        unolab.decode(round.tensor(0), round.spec)


def test_handbook_lists_every_part_and_event():
    text = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
    spec = unolab.VecEnv("classic", 2, 1, history=1).spec
    for part in (*spec["blocks"], *spec["events"]):
        lines = [line for line in text.splitlines() if line.startswith(f"| `{part['name']}` |")]
        line = next(line for line in lines if f"| {part['meaning']} |" in line)
        assert part["order"] in line
        largest = line.split(" | ")[-2]
        assert not largest.isdigit() or int(largest) == part["max"]
    kinds = ", ".join(f"{number} {kind}" for number, kind in enumerate(spec["events"][0]["kinds"]))
    assert kinds in text


@pytest.mark.parametrize("spec", [None, {}, 3])
def test_invalid_spec_is_rejected(spec):
    with pytest.raises((TypeError, ValueError), match="spec: "):
        unolab.decode(np.zeros(3), spec)


def test_text_that_cannot_be_encoded_is_rejected():
    with pytest.raises(ValueError, match="variant: .* contains a surrogate"):
        unolab.Round("\ud800")

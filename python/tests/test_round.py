"""`Round`: copies, pickles, records, samples."""

from __future__ import annotations

import copy
import json
import pickle
import random

import numpy as np
import pytest
from conftest import EDITIONS, EXPLICIT, most_seats

import unolab

TABLES = [(variant, seats, list(overrides)) for variant in EDITIONS for seats in (2, most_seats(variant)) for overrides in ((), EXPLICIT)]


def play(round: unolab.Round, rng: random.Random, decisions: int = 10_000) -> unolab.Round:
    while not round.is_terminal and decisions > 0:
        round.apply(rng.choice(round.legal_actions()))
        decisions -= 1
    return round


@pytest.mark.parametrize(("variant", "seats", "overrides"), TABLES)
def test_round_ends(variant, seats, overrides):
    rng = random.Random(1)
    for seed in range(10):
        round = unolab.Round(variant, seats, seed, overrides=overrides, voluntary_draw=False)
        assert round.returns() == [0.0] * seats
        assert not round.is_terminal
        play(round, rng)
        assert round.is_terminal
        assert round.current_seat is None
        assert round.legal_actions() == []
        assert sum(round.returns()) == pytest.approx(1.0)
        assert len(round.points()) == seats
        assert all(isinstance(share, float) for share in round.returns())


@pytest.mark.parametrize(("variant", "seats", "overrides"), TABLES)
def test_copies_and_pickles_continue_identically(variant, seats, overrides):
    rng = random.Random(2)
    for seed in range(5):
        round = play(unolab.Round(variant, seats, seed, overrides=overrides), rng, rng.randrange(60))
        copies = [round.clone(), copy.copy(round), copy.deepcopy(round), pickle.loads(pickle.dumps(round))]
        for _ in range(60):
            if round.is_terminal:
                break
            action = rng.choice(round.legal_actions())
            for each in (round, *copies):
                each.apply(action)
            for each in copies:
                assert str(each) == str(round)
                assert each.legal_actions() == round.legal_actions()
                for seat in range(seats):
                    assert each.information_state(seat) == round.information_state(seat)
                    assert np.array_equal(each.tensor(seat), round.tensor(seat))


@pytest.mark.parametrize(("variant", "seats", "overrides"), TABLES)
def test_sample_is_indistinguishable(variant, seats, overrides):
    rng = random.Random(3)
    for seed in range(6):
        round = unolab.Round(variant, seats, seed, overrides=overrides, voluntary_draw=bool(seed % 2))
        for _ in range(40):
            if round.is_terminal:
                break
            seat = round.current_seat if rng.random() < 0.7 else rng.randrange(seats)
            sample = round.sample_state(seat, rng.randrange(2**32))
            assert sample.current_seat == round.current_seat or seat != round.current_seat
            assert np.array_equal(sample.tensor(seat), round.tensor(seat))
            assert sample.information_state(seat) == round.information_state(seat)
            assert sample.observation(seat) == round.observation(seat)
            if seat == round.current_seat:
                assert sample.legal_actions() == round.legal_actions()
                assert np.array_equal(sample.action_mask(), round.action_mask())
            with pytest.raises(ValueError, match="record"):
                sample.record()
            again = pickle.loads(pickle.dumps(sample))
            assert str(again) == str(sample)
            play(sample, rng, 5)
            round.apply(rng.choice(round.legal_actions()))


def fits(card: str, top: str, color: str) -> bool:
    """Whether a card of the classic game can be played on this one."""
    return card[0] == "W" or card[0] == color[0] or card[1:] == top[1:]


@pytest.mark.parametrize(
    "options", [{"voluntary_draw": False}, {"overrides": ["turn.draw=no_playable", "turn.drawn_card=must"]}]
)
def test_samples_after_a_draw_hold_no_playable_card(options):
    draws = 0
    for seed in range(200):
        round = unolab.Round("classic", 2, seed, **options)
        seat = round.current_seat
        if [round.action_name(action) for action in round.legal_actions()] != ["draw"]:
            continue
        round.apply(round.legal_actions()[0])
        if round.decision != "turn":
            continue
        draws += 1
        seen = round.observation(1 - seat)
        for sample_seed in range(20):
            hand = round.sample_state(1 - seat, sample_seed).observation(seat)["hand"]
            assert not [card for card in hand if fits(card, seen["top"], seen["color"])]
    assert draws > 3


def test_samples_hide_cards_that_other_seats_know_of_each_other():
    """What the others have been shown of each other is not in a sample."""
    shown = 0
    for seed in range(40):
        round = unolab.Round("swap-hands", 3, seed)
        rng = random.Random(seed)
        while not round.is_terminal:
            known = round.observation(1)["known"][2]
            if known:
                shown += 1
                assert round.sample_state(0, seed).observation(1)["known"][2] == []
                break
            round.apply(rng.choice(round.legal_actions()))
    assert shown > 5


def test_kept_card_is_hidden_from_the_other_seat():
    ends = {True: set(), False: set()}
    for seed in range(60):
        round = unolab.Round("classic", 2, seed)
        seat = round.current_seat
        if "draw" not in [round.action_name(action) for action in round.legal_actions()]:
            continue
        before = round.information_state(1 - seat).splitlines()
        round.apply(round.action_id("draw"))
        is_kept = round.decision == "drawn"
        if is_kept:
            round.apply(round.action_id("keep"))
            assert f"{seat}: keep" in round.information_state(seat).splitlines()
        after = round.information_state(1 - seat).splitlines()
        ends[is_kept].add(tuple(line.replace(str(seat), "drawer") for line in after[len(before) - 1 : -1]))
    assert ends[True] == ends[False] == {("drawer: draw", "drawer draws")}


def test_samples_differ_unless_seeds_are_equal():
    round = play(unolab.Round("classic", 3, 4), random.Random(4), 7)
    seat = round.current_seat
    texts = {str(round.sample_state(seat, seed)) for seed in range(20)}
    assert len(texts) == 20
    assert str(round.sample_state(seat, 1)) == str(round.sample_state(seat, 1))


@pytest.mark.parametrize("variant", EDITIONS)
def test_information_states_have_perfect_recall(variant):
    """A later information state begins with all lines of an earlier one."""
    rng = random.Random(5)
    round = unolab.Round(variant, 3, 5, overrides=EXPLICIT)
    before = [round.information_state(seat).splitlines()[:-1] for seat in range(3)]
    while not round.is_terminal:
        seat, action = round.current_seat, rng.choice(round.legal_actions())
        round.apply(action)
        after = [round.information_state(seat).splitlines()[:-1] for seat in range(3)]
        for old, new in zip(before, after, strict=True):
            assert new[: len(old)] == old
        assert f"chose: {round.action_name(action)}" in after[seat][len(before[seat]) :]
        before = after


def test_illegal_action_raises_without_change():
    round = unolab.Round("classic", 2, 6)
    before = str(round), round.legal_actions()
    wrong = next(id for id in range(round.num_actions) if id not in round.legal_actions())
    for action in (wrong, -1, round.num_actions, 2**70):
        with pytest.raises(unolab.IllegalAction) as caught:
            round.apply(action)
        assert caught.value.seat == round.current_seat
        assert caught.value.legal == round.legal_actions()
        assert (str(round), round.legal_actions()) == before
    restored = pickle.loads(pickle.dumps(caught.value))
    assert (str(restored), restored.legal) == (str(caught.value), caught.value.legal)
    play(round, random.Random(6))
    with pytest.raises(unolab.IllegalAction, match="over"):
        round.apply(0)


def test_names_and_ids_correspond():
    round = unolab.Round("disney", 4, 7)
    for id, name in enumerate(round.action_names):
        assert round.action_name(id) == name
        assert round.action_id(name) == id
    with pytest.raises(ValueError, match="allowed"):
        round.action_name(round.num_actions)
    with pytest.raises(ValueError, match="play"):
        round.action_id("jump")


@pytest.mark.parametrize(("variant", "seats", "overrides"), TABLES)
def test_record_contains_setup_and_points(variant, seats, overrides):
    round = play(unolab.Round(variant, seats, 8, overrides=overrides, voluntary_draw=False), random.Random(8))
    lines = [json.loads(line) for line in round.record().splitlines()]
    assert lines[0]["seats"] == seats
    assert lines[0]["variant"] == variant
    assert lines[-1]["points"] == round.points()


def test_positional_arguments_are_accepted():
    round = unolab.Round("disney", 3, 7, ["uno.calls=explicit"], False)
    assert str(round) == str(unolab.Round("disney", 3, 7, overrides=["uno.calls=explicit"], voluntary_draw=False))


def test_variant_path_is_accepted(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('base = "classic"\n')
    assert unolab.Round(file, 2).variant == "mine"


@pytest.mark.parametrize(
    ("use", "names"),
    [
        (lambda _: unolab.Round(seed=-1), "seed: -1"),
        (lambda _: unolab.Round(seed=2**64), "seed: "),
        (lambda _: unolab.Round(seats=-1), "seats: -1; allowed: 2 to 10"),
        (lambda _: unolab.Round(seats=2**70), "seats: "),
        (lambda round: round.sample_state(0, -1), "seed: -1"),
        (lambda round: round.sample_state(0, 2**64), "seed: "),
        (lambda round: round.observation(2**70), "seat: .*allowed: 0 to 2"),
        (lambda round: round.tensor(-1), "seat: -1"),
        (lambda round: round.action_name(2**70), "action: "),
    ],
)
def test_number_out_of_range_is_named(use, names):
    with pytest.raises(ValueError, match=names):
        use(unolab.Round("classic", 3, 1))


@pytest.mark.parametrize(
    ("use", "names"),
    [
        (lambda _: unolab.Round(3), "variant: 3"),
        (lambda _: unolab.Round(seats="2"), "seats: '2'"),
        (lambda _: unolab.Round(overrides=None), "overrides: None"),
        (lambda _: unolab.Round(voluntary_draw="no"), "voluntary_draw: 'no'"),
        (lambda round: round.tensor("0"), "seat: '0'"),
        (lambda round: round.apply(0.0), "action: 0.0"),
        (lambda round: round.action_id(0), "action: 0"),
    ],
)
def test_wrong_type_is_named(use, names):
    with pytest.raises(TypeError, match=names):
        use(unolab.Round("classic", 3, 1))


def test_observation_contains_knowledge_of_seat():
    round = unolab.Round("classic", 3, 9)
    seen = round.observation(1)
    assert len(seen["hand"]) == 7
    assert seen["hand_sizes"][1] == 7
    assert seen["known"] == [[], [], []]
    assert seen["top"] == seen["discard_pile"][-1]
    with pytest.raises(ValueError, match="allowed: 0 to 2"):
        round.observation(3)


def test_round_of_changed_variant_file_has_new_rules(tmp_path):
    file = tmp_path / "mine.toml"
    for size in (5, 6):
        file.write_text(f'base = "classic"\ndeal.hand_size = {size}\n')
        assert len(unolab.Round(file, 2, 1).observation(0)["hand"]) in (size, size + 2)  # a turned Draw Two adds two cards
        assert len(unolab.Round("classic", 2, 1, [f"deal.hand_size={size}"]).observation(1)["hand"]) in (size, size + 2)


@pytest.mark.long
@pytest.mark.parametrize("variant", EDITIONS)
def test_observations_leak_no_hidden_cards(variant):
    rng = random.Random(10)
    positions = 0
    while positions < 100_000:
        seats = rng.randint(2, most_seats(variant))
        overrides = EXPLICIT if rng.random() < 0.5 else []
        round = unolab.Round(variant, seats, rng.randrange(2**40), overrides=overrides, voluntary_draw=False)._native
        while not round.is_terminal:
            seat = round.current_seat
            sample = round.sample_state(seat, rng.randrange(2**32))
            assert np.array_equal(sample.tensor(seat), round.tensor(seat))
            assert np.array_equal(sample.action_mask(), round.action_mask())
            assert sample.legal_actions() == round.legal_actions()
            positions += 1
            round.advance(rng.choice(round.legal_actions()))

"""`Adviser`: agents that choose actions in described turns, and in RLCard's own UNO."""

from __future__ import annotations

import threading
import time

import pytest

import unolab


@pytest.mark.parametrize(
    ("agent", "hand", "top", "expected"),
    [
        ("greedy", "r9 rS r1 b8", "r0", "play rS"),
        ("greedy", "W g1 g2 b1", "r0", "play W g"),
        ("greedy", "b1 g2", "r0", "draw"),
        ("mixbot", "r1 b7", "r0", "play r1"),
        ("net", "r1", "r0", "play r1"),
        ("ismcts:iterations=10", "r1", "r0", "play r1"),
    ],
)
def test_adviser_chooses_like_agent(agent, hand, top, expected):
    adviser = unolab.Adviser(agent)
    cards = hand.split()
    assert adviser.agent == agent
    assert adviser.choose(cards, ["b3", top], [len(cards), 4]) == expected
    # A different seat of a larger table, with play to the right.
    of_four = unolab.Adviser(agent, seats=4)
    assert of_four.choose(cards, [top], [3, 2, len(cards), 9], seat=2, direction="right") == expected


def test_seed_determines_random_adviser():
    def choices(seed):
        adviser = unolab.Adviser("random", seed=seed)
        return [adviser.choose(["r1", "r2", "r3", "r4"], ["r0"], [4, 4]) for _ in range(20)]

    assert choices(1) == choices(1) != choices(2)
    assert len(set(choices(1))) == 4


def test_rules_and_color_count():
    cards = ["b1", "W4", "r2"]
    assert unolab.Adviser("greedy").choose(cards, ["W"], [3, 3], color="b") == "play b1"
    engine = ["draw_four.enforcement=engine", "draw_four.legality=any", "challenge.who=none"]
    assert unolab.Adviser("greedy", overrides=engine).choose(cards, ["W"], [3, 3], color="b").startswith("play W4")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"hand": []}, "seat 0 holds no card"),
        ({"hand": ["r1", "zz"]}, "hand: "),
        ({"hand": ["r0", "r0"]}, "more copies of r0 than the 1 of the deck"),
        ({"discard": []}, "discard: no card"),
        ({"discard": ["W"]}, "the color in force must be given"),
        ({"color": "pink"}, "color: "),
        ({"color": "b"}, "the color in force cannot be"),
        ({"direction": "up"}, 'allowed: "left", "right"'),
        ({"hand_sizes": [2]}, "allowed: 2 numbers"),
        ({"hand_sizes": [3, 2]}, "the size of its hand, 2"),
        ({"hand_sizes": [2, 200]}, "more cards than are left"),
        ({"seat": 2}, "allowed: 0 to 1"),
        ({"hand_sizes": [2, -5]}, "hand_sizes: -5"),
    ],
)
def test_impossible_turn_is_rejected(changed, message):
    given = {"hand": ["r1", "r2"], "discard": ["r5"], "hand_sizes": [2, 3]} | changed
    if given["hand"] == []:
        given["hand_sizes"] = [0, 3]
    with pytest.raises(ValueError) as error:
        unolab.Adviser("greedy").choose(**given)
    assert message in str(error.value)


@pytest.mark.parametrize(("agent", "message"), [("unknown", "agent: "), ("clairvoyant", "is shown all hands")])
def test_agents_with_other_information_are_rejected(agent, message):
    with pytest.raises(ValueError) as error:
        unolab.Adviser(agent)
    assert message in str(error.value)


@pytest.mark.parametrize(("options", "message"), [({"seats": -1}, "seats: -1"), ({"seed": -1}, "seed: -1")])
def test_number_out_of_range_is_named(options, message):
    with pytest.raises(ValueError, match=message):
        unolab.Adviser("greedy", **options)


def test_agents_play_in_rlcard_uno():
    rlcard = pytest.importorskip("rlcard")
    from rlcard.agents import RandomAgent
    from rlcard.utils import set_seed, tournament

    from unolab.rlcard import Agent

    set_seed(7)
    env = rlcard.make("uno", config={"seed": 7})
    agent = Agent("heuristic")
    env.set_agents([agent, RandomAgent(num_actions=env.num_actions)])
    payoffs = tournament(env, 1_000)
    assert payoffs[0] + payoffs[1] == 0
    assert payoffs[0] > 0.1  # about 0.2; the standard error is 0.03
    assert agent.decisions > 1_000
    assert agent.strayed < agent.decisions / 50


def test_other_threads_run_while_an_adviser_searches():
    adviser = unolab.Adviser("ismcts:iterations=100_000,sure=0")
    is_over, ticks = threading.Event(), []

    def count():
        while not is_over.wait(0.001):
            ticks.append(1)

    counter = threading.Thread(target=count)
    counter.start()
    while not ticks:
        time.sleep(0.001)
    before = len(ticks)
    adviser.choose(["r7", "b2", "W", "r3", "g9"], ["g5", "r1"], [5, 5])
    during = len(ticks) - before
    is_over.set()
    counter.join()
    assert during > 5

"""RLCard's UNO under random legal play for some seconds; prints one JSON line.

    python rlcard_uno.py environment|game|rules PLAYERS SECONDS

environment  `rlcard.make("uno")`: reset, step, and the encoded observation of every step
game         `UnoGame.step` without the environment: the rules, and the state as a dictionary in every step
rules        `UnoRound.proceed_round` and `get_legal_actions` only: the rules alone, which is the fastest way to run RLCard

In version 1.2.0 the environment always has two players; the game class accepts any number.
A legal action is chosen uniformly by `random.choice` from the standard library, which is faster than NumPy's.
"""

import json
import random
import sys
import time

import numpy
import rlcard
from rlcard.games.uno import Game

SEED = 1


def environment(players):
    """Plays one game at a time through the environment; yields the number of decisions of each."""
    if players != 2:
        sys.exit("RLCard's UNO environment seats two players")
    env = rlcard.make("uno", config={"seed": SEED})
    choose = random.choice
    while True:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(choose(list(state["legal_actions"])))
            decisions += 1
        yield decisions


def new_game(players):
    game = Game(num_players=players)
    game.np_random = numpy.random.RandomState(SEED)
    return game


def game(players):
    """Plays games with the game object, which does not encode observations."""
    game = new_game(players)
    choose = random.choice
    while True:
        state, _ = game.init_game()
        decisions = 0
        while not game.is_over():
            state, _ = game.step(choose(state["legal_actions"]))
            decisions += 1
        yield decisions


def rules(players):
    """Plays games with the rules alone, without computing a player's state."""
    game = new_game(players)
    choose = random.choice
    while True:
        game.init_game()
        decisions = 0
        while not game.is_over():
            game.round.proceed_round(game.players, choose(game.get_legal_actions()))
            decisions += 1
        yield decisions


def main():
    what, players, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    random.seed(SEED)
    games = {"environment": environment, "game": game, "rules": rules}[what](players)
    next(games)  # warm
    rounds = steps = 0
    core_begin = time.process_time()
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        steps += next(games)
        rounds += 1
    core_seconds = time.process_time() - core_begin
    print(json.dumps({"rounds": rounds, "steps": steps, "core_seconds": core_seconds}))


if __name__ == "__main__":
    main()

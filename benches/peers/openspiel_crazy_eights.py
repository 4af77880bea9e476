"""OpenSpiel's crazy_eights under random legal play for some seconds; prints one JSON line.

    python openspiel_crazy_eights.py bots|rollouts PLAYERS SECONDS

crazy_eights is OpenSpiel's closest game to UNO (default parameters except for the number of players: one deck for
up to five players, no special cards, up to five draws per turn, 100 turns at most). The loop over a game runs
in C++ in both modes; Python only starts it:

bots      `pyspiel.evaluate_bots` with C++ uniform random bots: one call plays one whole game, including the deal
rollouts  `RandomRolloutEvaluator`: 200 random playouts per call, each on a copy of the position after the deal. The
          evaluator cannot be called from Python, but a search with one simulation (`MCTSBot.mcts_search`) calls it
          once and does nothing else
"""

import json
import random
import sys
import time

import pyspiel

SEED = 1
PLAYOUTS = 200


def bots(game, players):
    """Plays one game per step; returns the number of games."""
    seated = [pyspiel.make_uniform_random_bot(player, SEED + player) for player in range(players)]
    seed = SEED
    while True:
        pyspiel.evaluate_bots(game.new_initial_state(), seated, seed)
        seed += 1
        yield 1


def rollouts(game, _players):
    """Plays out one deal many times per step; returns the number of playouts."""
    search_nothing = {"uct_c": 1.0, "max_simulations": 1, "max_memory_mb": 1, "solve": False, "seed": SEED}
    playouts = pyspiel.RandomRolloutEvaluator(n_rollouts=PLAYOUTS, seed=SEED)
    bot = pyspiel.MCTSBot(game=game, evaluator=playouts, verbose=False, **search_nothing)
    while True:
        bot.mcts_search(dealt(game))
        yield PLAYOUTS


def dealt(game):
    state = game.new_initial_state()
    while state.is_chance_node():
        play_at_random(state)
    return state


def play_at_random(state):
    if state.is_chance_node():
        actions, weights = zip(*state.chance_outcomes())
        state.apply_action(random.choices(actions, weights)[0])
    else:
        state.apply_action(random.choice(state.legal_actions()))


def mean_decisions(game, games=300):
    """The number of decisions per game. The C++ loops do not report it, so it is counted in an untimed Python loop."""
    decisions = 0
    for _ in range(games):
        state = dealt(game)
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            play_at_random(state)
    return decisions / games


def main():
    what, players, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    random.seed(SEED)
    game = pyspiel.load_game("crazy_eights", {"players": players})
    played = {"bots": bots, "rollouts": rollouts}[what](game, players)
    next(played)  # warm
    rounds = 0
    core_begin = time.process_time()
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        rounds += next(played)
    core_seconds = time.process_time() - core_begin
    steps = round(rounds * mean_decisions(game))
    print(json.dumps({"rounds": rounds, "steps": steps, "core_seconds": core_seconds}))


if __name__ == "__main__":
    main()

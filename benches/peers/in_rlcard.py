"""Plays agents of unolab in RLCard's own UNO against RLCard's random agent, rule agent, and DQN agent.

    python in_rlcard.py GAMES >../../results/elsewhere/rlcard.csv

Half of the games are played from each seat. The DQN agent is trained first, against the random agent, as in RLCard's
`examples/run_rl.py`. Needs the package `unolab`, `rlcard` (`requirements.txt`) and `torch`.
"""

import contextlib
import io
import math
import sys

import rlcard
import torch
from rlcard.agents import DQNAgent, RandomAgent
from rlcard.models.uno_rule_models import UNORuleAgentV1
from rlcard.utils import reorganize, set_seed, tournament
from unolab.rlcard import Agent

SEED = 1
AGENTS = ["random", "greedy", "mixbot", "heuristic", "net"]
#: The number of games from which the DQN agent learns: four times as many as in RLCard's example.
TRAINING_GAMES = 20_000
#: Ten times RLCard's default. With the default, the agent hardly learns in this number of games.
LEARNING_RATE = 0.0005
LAYERS = [64, 64]


def environment(seed):
    set_seed(seed)
    return rlcard.make("uno", config={"seed": seed})


def trained_dqn():
    """RLCard's DQN agent, trained in the first seat against the random agent."""
    torch.set_num_threads(1)
    env = environment(SEED)
    agent = DQNAgent(
        num_actions=env.num_actions,
        state_shape=env.state_shape[0],
        mlp_layers=LAYERS,
        learning_rate=LEARNING_RATE,
        device=torch.device("cpu"),
    )
    env.set_agents([agent, RandomAgent(num_actions=env.num_actions)])
    with contextlib.redirect_stdout(io.StringIO()):  # it prints a line in each step
        for _ in range(TRAINING_GAMES):
            trajectories, payoffs = env.run(is_training=True)
            for transition in reorganize(trajectories, payoffs)[0]:
                agent.feed(transition)
    return agent


def wins(agent, opponent, seat, games):
    """The number of games that the agent wins in this seat."""
    env = environment(SEED + seat)
    env.set_agents([agent, opponent] if seat == 0 else [opponent, agent])
    return games * (1 + tournament(env, games)[seat]) / 2


def main():
    games = int(sys.argv[1]) // 2 * 2
    dqn = trained_dqn()
    opponents = {
        "random": RandomAgent(num_actions=dqn.num_actions),
        "uno-rule-v1": UNORuleAgentV1(),
        "dqn": dqn,
    }
    print("agent,opponent,games,wins,win_share,se,ci_low,ci_high,decisions,strayed")
    for name, opponent in opponents.items():
        for agent in ["dqn", *AGENTS]:
            ours = [dqn if agent == "dqn" else Agent(agent, seed=SEED) for _ in range(2)]
            won = sum(wins(ours[seat], opponent, seat, games // 2) for seat in range(2))
            decisions, strayed = (sum(getattr(one, what, 0) for one in ours) for what in ("decisions", "strayed"))
            share = won / games
            error = math.sqrt(share * (1 - share) / games)
            low, high = share - 1.96 * error, share + 1.96 * error
            row = [agent, name, games, round(won), share, error, low, high, decisions, strayed]
            print(",".join(str(cell) for cell in row), flush=True)


main()

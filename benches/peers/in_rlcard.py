"""Agents of unolab in RLCard's own UNO, in its `tournament`, against its random and its rule agent.

    python in_rlcard.py GAMES >../../results/elsewhere/rlcard.csv

Half of the games are played from each seat. Needs the package `unolab` and `rlcard` (`requirements.txt`).
"""

import math
import sys

import rlcard
from rlcard.agents import RandomAgent
from rlcard.models.uno_rule_models import UNORuleAgentV1
from rlcard.utils import set_seed, tournament
from unolab.rlcard import Agent

SEED = 1
AGENTS = ["random", "greedy", "mixbot", "heuristic", "net"]
OPPONENTS = ["random", "uno-rule-v1"]


def opponent(name, env):
    return RandomAgent(num_actions=env.num_actions) if name == "random" else UNORuleAgentV1()


def wins(agent, other, seat, games):
    """How many games the agent wins from this seat, its decisions, and those in which it strayed."""
    set_seed(SEED + seat)
    env = rlcard.make("uno", config={"seed": SEED + seat})
    ours = Agent(agent, seed=SEED)
    players = [ours, opponent(other, env)]
    env.set_agents(players if seat == 0 else players[::-1])
    return games * (1 + tournament(env, games)[seat]) / 2, ours.decisions, ours.strayed


def main():
    games = int(sys.argv[1])
    print("agent,opponent,games,wins,win_share,se,ci_low,ci_high,decisions,strayed")
    for other in OPPONENTS:
        for agent in AGENTS:
            both = [wins(agent, other, seat, games // 2) for seat in (0, 1)]
            won, decisions, strayed = (sum(part) for part in zip(*both))
            played = games // 2 * 2
            share = won / played
            error = math.sqrt(share * (1 - share) / played)
            low, high = share - 1.96 * error, share + 1.96 * error
            row = [agent, other, played, round(won), share, error, low, high, decisions, strayed]
            print(",".join(str(cell) for cell in row), flush=True)


main()

#!/usr/bin/env python3
"""A bot for unolab: --agents 'cmd:"python3 examples/bots/mybot.py"'. The protocol is in agents/PROTOCOL.md.

It plays colored cards before wilds, high points first, and names the color that is most frequent in its hand.
"""
import json
import random
import sys

points = {}


def in_hand(letter, view):
    return sum(card.startswith(letter) for card in view["hand"])


def worth(action, view):
    """Rates an action."""
    word, *about = action.split()
    if word == "play" and about[0] in view["bluffs"]:
        return -1
    if word == "play":
        colors = [letter for letter in about[1:] if letter in "rygb"]
        is_wild = about[0].startswith("W")
        named = in_hand(colors[0], view) / 100 if colors else 0
        return points[about[0]] + named + (0 if is_wild else 100) + ("uno" in about)
    if word == "color":
        return in_hand(about[0], view)
    if word in ("swap", "target"):  # swap with or target the player with the smallest hand
        return 20 - view["hand_sizes"][int(about[0])]
    return {"uno": 9, "catch": 9, "discard-all": 5, "protect": 2, "accept": 2}.get(word, 0)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"protocol": 1}
    elif message["type"] == "decide":
        view = message["observation"]
        values = [worth(action, view) for action in message["actions"]]
        best = [number for number, value in enumerate(values) if value == max(values)]
        answer = {"decision": message["decision"], "action": random.choice(best)}
    else:
        if message["type"] == "rules":
            points = {card["code"]: card["points"] for card in message["cards"]}
        elif message["type"] == "new_game":
            random.seed(message["seed"])
        continue
    print(json.dumps(answer), flush=True)

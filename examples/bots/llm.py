#!/usr/bin/env python3
"""A language model as a player, at any address with the interface of OpenAI's chat completions.

    unolab match --agents 'model=cmd:"python3 examples/bots/llm.py --url http://127.0.0.1:8080/v1 --model NAME",decision_ms=120000,game_ms=86400000' \\
        --agents greedy --seats 2 --sets 5 --record games --record-sets 5
    unolab analyze games/*.jsonl --worlds 100     # ODHR@K and ADR@K of its choices

It plays up to 8 games at once (--games) and sends the requests of all of them to the server concurrently. decision_ms is the time
limit per decision: a batch of decisions has this time multiplied by its size.

The program describes the position in plain words with numbered actions, and the model answers with a number. If the answer is not
the number of an action, it asks again; after the last try it plays the first action. It counts these cases on standard error
(bots/NAME.stderr in the directory of the run). The model's answers are the notes of the record. The key is read from a file, because
programs of unolab do not inherit the environment. Only Python is needed.
"""
import argparse
import json
import re
import sys
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

COLORS = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}
FACES = {"S": "Skip", "R": "Reverse", "D": "Draw Two", "C": "Cheese Touch"}
WILDS = {
    "W": "Wild",
    "W4": "Wild Draw Four",
    "WV": "Villain Draw 4",
    "WS": "Wild Swap Hands",
    "WL": "Victory Lap",
    "WA": "Wild Discard All",
}
KINDS = {
    "turn": "It is your turn.",
    "drawn": "You have drawn a card that can be played.",
    "color": "You name the color.",
    "challenge": "A draw four was played on you: challenge it if you think that it was a bluff.",
    "stack": "A draw card was played on you: answer with one of your own, or draw the sum.",
    "swap": "You may swap hands.",
    "target": "You choose the target of the card.",
    "choice": "The card lets you choose.",
    "call": "This play leaves you with one card: call UNO with it, or forget to.",
    "interrupt": "It is not your turn, but you may do something.",
}


def card_name(code):
    if code in WILDS:
        return WILDS[code]
    if code[0] in COLORS:
        return f"{COLORS[code[0]]} {FACES.get(code[1:], code[1:])}"
    return f"card {code}"


def action_name(action, view):
    """The description of an action such as `play W g`."""
    word, *about = action.split()
    if word == "play":
        text = f"play {card_name(about[0])}"
        for more in about[1:]:
            text += f" and name {COLORS[more]}" if more in COLORS else " and call UNO"
        if about[0] in view["bluffs"]:
            text += " (a bluff: it can be challenged)"
        return text
    if word == "color":
        return f"name {COLORS[about[0]]}"
    if word in ("swap", "target", "catch"):
        verb = {"swap": "swap hands with", "target": "choose", "catch": "catch, for a forgotten call,"}[word]
        return f"{verb} player {about[0]}"
    if word == "choose":
        return view["about"]["options"][int(about[0])]
    if word in ("protect", "discard-all"):
        return f"{word.replace('-', ' ')} with {card_name(about[0])}"
    return {
        "draw": "draw from the pile",
        "keep": "keep the card",
        "pass": "pass",
        "challenge": "challenge the draw four",
        "accept": "accept it",
        "silent": "do nothing",
        "uno": "call UNO",
    }.get(word, action)


def listed(cards):
    """A list of cards, such as `2 x red 7, Wild`."""
    names = [card_name(card) for card in cards]
    once = sorted(set(names), key=names.index)
    return ", ".join(name if names.count(name) == 1 else f"{names.count(name)} x {name}" for name in once) or "nothing"


class Player:
    def __init__(self, options):
        self.options = options
        self.counts = {"decisions": 0, "asked": 0, "illegal answers": 0, "failed requests": 0, "given up": 0}
        self.lock = threading.Lock()
        self.rules = ""
        self.chat = None

    def learn(self, message):
        keys = message["keys"]
        points = {card_name(card["code"]): card["points"] for card in message["cards"]}
        special = [name for name in points if name.split()[-1] not in "0123456789"]
        described = ["house.stacking", "house.seven_zero", "house.jump_in", "draw_four.enforcement", "turn.draw", "uno.calls"]
        self.rules = (
            f"You play {message['variant']}, an UNO-like card game. A card can be played on the top card if color, number or symbol is the "
            "same; wild cards on anything. The first player without cards wins the round. Special cards here: "
            + ", ".join(sorted(set(name.split(" ", 1)[-1] if name.split()[0] in COLORS.values() else name for name in special)))
            + ". Rules: "
            + ", ".join(f"{key} = {keys[key]}" for key in described if key in keys)
            + "."
        )

    def position(self, kind, actions, view):
        others = [f"player {seat}: {view['hand_sizes'][seat]}" for seat in view["seats"] if seat != view["seat"]]
        known = [f"player {seat} surely holds {listed(cards)}" for seat, cards in view["known"].items()]
        lines = [
            f"You are player {view['seat']}. {KINDS.get(kind, kind)}",
            f"Your hand: {listed(view['hand'])}.",
            f"Top card: {card_name(view['top'])}; color in force: {view['color'] or 'none yet'}.",
            f"Cards in other hands: {'; '.join(others)}. Draw pile: {view['draw_pile']}.",
            f"Play goes to the {view['direction']}: player {self.next_player(view)} is after you.",
            *known,
            f"Lately discarded: {listed(view['discard_pile'][-8:])}.",
            "",
            "What you may do:",
            *(f"{number}. {action_name(action, view)}" for number, action in enumerate(actions, 1)),
            "",
            f"Answer with one number from 1 to {len(actions)}, and nothing else.",
        ]
        return "\n".join(lines)

    @staticmethod
    def next_player(view):
        seats = view["seats"]
        step = 1 if view["direction"] == "left" else -1
        return seats[(seats.index(view["seat"]) + step) % len(seats)]

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    def answer(self, message):
        action, note = self.decide(message)
        answer = {"decision": message["decision"], "action": action}
        return answer | {"note": note} if note else answer

    def decide(self, message):
        actions = message["actions"]
        self.count("decisions")
        if len(actions) == 1:
            return 0, None
        chat = [
            {"role": "system", "content": self.rules},
            {"role": "user", "content": self.position(message["kind"], actions, message["observation"])},
        ]
        for _ in range(1 + self.options.retries):
            try:
                said = self.ask(chat)
            except (urllib.error.URLError, OSError, ValueError, KeyError, IndexError, TypeError) as error:
                self.count("failed requests")
                print(f"request failed: {error}", file=sys.stderr)
                time.sleep(self.options.pause)
                continue
            number = last_number(said)
            if number is not None and 1 <= number <= len(actions):
                return number - 1, said
            self.count("illegal answers")
            print(f"illegal answer: {said[:200]!r}", file=sys.stderr)
            chat += [
                {"role": "assistant", "content": said},
                {"role": "user", "content": f"That is not one of the numbers. Answer with one number from 1 to {len(actions)}."},
            ]
        self.count("given up")
        return 0, "no legal answer: the first action was played"

    def ask(self, chat):
        self.count("asked")
        body = {
            "model": self.options.model,
            "messages": chat,
            "temperature": self.options.temperature,
            "max_tokens": self.options.max_tokens,
        }
        headers = {"Content-Type": "application/json"}
        if self.options.key:
            headers["Authorization"] = f"Bearer {self.options.key}"
        request = urllib.request.Request(
            self.options.url.rstrip("/") + "/chat/completions", data=json.dumps(body).encode(), headers=headers
        )
        with urllib.request.urlopen(request, timeout=self.options.timeout) as response:
            return json.load(response)["choices"][0]["message"]["content"]


def last_number(text):
    """The last number in the answer, because models often reason before they answer."""
    numbers = re.findall(r"-?\d+", text)
    return int(numbers[-1]) if numbers else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--url", required=True, help="where the address ends before /chat/completions, such as http://127.0.0.1:8080/v1")
    parser.add_argument("--model", required=True, help="the name of the model there")
    parser.add_argument("--key-file", help="a file with the key, if one is needed")
    parser.add_argument("--games", type=int, default=8, help="the number of games that are played at once (8)")
    parser.add_argument("--retries", type=int, default=2, help="how often an illegal answer is asked again (2)")
    parser.add_argument("--temperature", type=float, default=0.0, help="0: always the likeliest answer, as unolab check expects (0)")
    parser.add_argument("--max-tokens", type=int, default=512, help="the longest answer (512)")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for a request (60)")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds after a failed request (1)")
    options = parser.parse_args()
    options.key = open(options.key_file).read().strip() if options.key_file else None

    player = Player(options)
    with ThreadPoolExecutor(max(1, options.games)) as pool:
        for line in sys.stdin:
            message = json.loads(line)
            if message["type"] == "hello":
                print(json.dumps({"protocol": 1, "games": options.games}), flush=True)
            elif message["type"] == "rules":
                player.learn(message)
            elif message["type"] == "batch":
                answers = list(pool.map(player.answer, message["questions"]))
                print(json.dumps({"answers": answers}), flush=True)
            elif message["type"] == "game_over":
                print(json.dumps(player.counts), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

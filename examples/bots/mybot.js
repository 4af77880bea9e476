#!/usr/bin/env node
// A bot for unolab: --agents 'cmd:"node examples/bots/mybot.js"'. The protocol is in agents/PROTOCOL.md.
// It plays a card of its most frequent color, wilds last. It asks for events, to count how often each seat draws without
// playing.
"use strict";

let drew = new Map(); // by seat: how often it drew in this game

const inHand = (letter, view) => view.hand.filter((card) => card.startsWith(letter)).length;

function worth(action, view) {
  const [word, object, color] = action.split(" ");
  switch (word) {
    case "play":
      if (view.bluffs.includes(object)) return -1;
      if (!object.startsWith("W")) return 10 + inHand(object[0], view);
      return 1 + ("rygb".includes(color ?? "-") ? inHand(color, view) / 100 : 0);
    case "color":
      return inHand(object, view);
    case "swap":
    case "target": // the smallest hand; among equals the seat that drew least
      return 20 - view.hand_sizes[object] - (drew.get(Number(object)) ?? 0) / 100;
    case "uno":
    case "catch":
    case "discard-all":
      return 5;
    case "accept":
    case "protect":
      return 2;
    default: // draw, keep, pass, silent and the like
      return 0;
  }
}

function decide({ decision, actions, observation, events }) {
  for (const event of events ?? []) {
    if (event.draws) drew.set(event.seat, 1 + (drew.get(event.seat) ?? 0));
  }
  const values = actions.map((action) => worth(action, observation));
  return { decision, action: values.indexOf(Math.max(...values)) };
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  const answer = (object) => process.stdout.write(JSON.stringify(object) + "\n");
  if (message.type === "hello") answer({ protocol: 1, events: true });
  if (message.type === "new_game") drew = new Map();
  if (message.type === "decide") answer(decide(message));
});

#!/usr/bin/env node
// A bot for unolab. The file README.md next to it has the next steps. Change `value`.
"use strict";

let points = {}; // points by card

// The value of an action: this bot plays cards with many points first, and keeps wilds for later.
function value(action, view) {
  const [word, card] = action.split(" ");
  switch (word) {
    case "play":
      if (view.bluffs.includes(card)) return -1;
      return card.startsWith("W") ? 1 : 100 + points[card];
    case "color":
      return view.hand.filter((held) => held.startsWith(card)).length;
    case "uno":
    case "catch":
      return 9;
    case "discard-all":
      return 5;
    case "accept":
    case "protect":
      return 2;
    default: // draw, keep, pass, silent and the like
      return 0;
  }
}

const on = {
  // The first message, once.
  hello: () => ({ protocol: 1 }),
  // Before the first game with these rules: every kind of card, and every rule key.
  rules: ({ cards }) => {
    points = Object.fromEntries(cards.map((card) => [card.code, card.points]));
  },
  // A game begins. Use nothing from an earlier game. All random choices must come from `seed`.
  new_game: () => {},
  // Choose the number of one of the actions; `observation` is everything that the seat knows.
  decide: ({ decision, actions, observation }) => {
    const values = actions.map((action) => value(action, observation));
    return { decision, action: values.indexOf(Math.max(...values)) };
  },
  // A game has ended: `points` and `places` by seat, and `win_share`, if the table sends them.
  game_over: () => {},
};

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  const answer = on[message.type]?.(message);
  if (answer) process.stdout.write(JSON.stringify(answer) + "\n");
});

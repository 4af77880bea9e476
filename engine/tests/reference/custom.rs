//! The effects of a custom card, executed in the order of its list.

use super::round::{Model, Phase, Why};
use super::rules::{Count, Effect, color_of, contains, is_wild};
use super::{Code, Fate};

/// A custom card whose effects are in progress.
#[derive(Clone, Debug)]
pub(super) struct CustomRun {
    pub(super) player: usize,
    /// It was the last card of its player.
    pub(super) last: bool,
    pub(super) left: Vec<Effect>,
    skips: usize,
    again: bool,
    /// The player named for `chosen`: asked once per card.
    pub(super) chosen: Option<usize>,
    /// The player that chose the option in progress.
    pub(super) chooser: Option<usize>,
    /// Whether the player's call has been judged for the current hand.
    pub(super) judged: bool,
}

/// For a last card, only effects that make a player draw are executed, also in a failed task.
fn only_draws(effects: &[Effect]) -> Vec<Effect> {
    let mut kept = Vec::new();
    for effect in effects {
        match effect {
            Effect::Draw { .. } => kept.push(effect.clone()),
            Effect::Task { p, fail } => {
                let fail = only_draws(fail);
                if !fail.is_empty() {
                    kept.push(Effect::Task { p: *p, fail });
                }
            }
            Effect::Choice { who, options } => {
                let mut left = Vec::new();
                for option in options {
                    left.push(only_draws(option));
                }
                if left.iter().any(|option| !option.is_empty()) {
                    kept.push(Effect::Choice { who: who.clone(), options: left });
                }
            }
            _ => {}
        }
    }
    kept
}

/// Whether some of these effects change the hand of the card's player in addition to the play.
pub(super) fn changes_own_hand(effects: &[Effect]) -> bool {
    contains(effects, &|effect| match effect {
        Effect::SwapHands
        | Effect::TradeHands { .. }
        | Effect::RotateHands
        | Effect::ShuffleHands
        | Effect::Take { .. }
        | Effect::Give { .. } => true,
        Effect::Draw { who, .. } | Effect::Discard { who, .. } => who == "all" || who == "self",
        _ => false,
    })
}

/// The number of effects in the list, including those in tasks, that change the turn order.
fn turn_effects(effects: &[Effect]) -> usize {
    let mut found = 0;
    for effect in effects {
        match effect {
            Effect::Reverse | Effect::Skip(_) | Effect::SkipAll => found += 1,
            Effect::Task { fail, .. } => found += turn_effects(fail),
            Effect::Choice { options, .. } => {
                for option in options {
                    found += turn_effects(option);
                }
            }
            _ => {}
        }
    }
    found
}

fn wants_chosen(effect: &Effect) -> bool {
    match effect {
        Effect::Draw { who, .. }
        | Effect::Discard { who, .. }
        | Effect::ChooseColor { who }
        | Effect::Choice { who, .. }
        | Effect::TradeHands { who }
        | Effect::Look { who }
        | Effect::Take { who, .. }
        | Effect::Give { who, .. } => who == "chosen",
        _ => false,
    }
}

impl Model {
    pub(super) fn start_custom(&mut self, seat: usize, card: Code, last: bool, fate: &mut dyn Fate) {
        let effects = self.variant.custom(card).expect("a custom card").effects.clone();
        let left = if last { only_draws(&effects) } else { effects };
        if last {
            self.open.clear(); // the round is over, and only its points are still open
        }
        let run = CustomRun {
            player: seat,
            last,
            left,
            skips: 0,
            again: false,
            chosen: None,
            chooser: None,
            judged: !self.judged_later(card),
        };
        self.run_custom(run, fate);
    }

    /// Runs effects until one asks something or all are done.
    pub(super) fn run_custom(&mut self, run: CustomRun, fate: &mut dyn Fate) {
        let mut run = run;
        let player = run.player;
        while !run.left.is_empty() {
            if wants_chosen(&run.left[0]) && run.chosen.is_none() {
                self.phase = Phase::Target(player, Why::Custom);
                self.custom = Some(run);
                return;
            }
            let effect = run.left.remove(0);
            let held = self.hands[player].len();
            match effect {
                Effect::Draw { who, count } => {
                    for seat in self.who(&who, &run, fate) {
                        self.draw_by_effect(seat, &count, fate);
                    }
                    run.judged = run.judged && self.hands[player].len() == held;
                }
                Effect::Skip(n) => run.skips += n,
                Effect::SkipAll => run.again = true,
                Effect::Reverse => {
                    // only a Reverse that is the card's single turn effect works as a Skip
                    let alone = turn_effects(&self.variant.custom(self.top()).expect("it is on top").effects) == 1;
                    if alone && self.two_players() && self.variant.two_player_reverse == "skip" {
                        run.skips += 1;
                    } else {
                        self.to_the_left = !self.to_the_left;
                    }
                }
                Effect::NameColor => {} // named with the play
                Effect::ChooseColor { who } => {
                    let seat = self.who(&who, &run, fate)[0];
                    self.phase = Phase::EffectColor(seat);
                    self.custom = Some(run);
                    return;
                }
                Effect::Choice { who, options } => {
                    // a player who is out still chooses for the others
                    let seat = if who == "self" { player } else { self.who(&who, &run, fate)[0] };
                    self.phase = Phase::Choice(seat, options);
                    self.custom = Some(run);
                    return;
                }
                Effect::TradeHands { who } => {
                    for seat in self.who(&who, &run, fate) {
                        self.swap_hands(player, seat);
                        self.judge_call(seat);
                    }
                    run.judged = false;
                }
                Effect::Discard { who, cards } => {
                    for seat in self.who(&who, &run, fate) {
                        let before = self.hands[seat].len();
                        self.discard_under(seat, &cards);
                        if seat != player && self.hands[seat].len() < before {
                            self.judge_call(seat); // SW-37
                        }
                    }
                    run.judged = run.judged && self.hands[player].len() == held;
                }
                Effect::SwapHands => {
                    self.phase = Phase::Swap(player, Why::Custom);
                    self.custom = Some(run);
                    return;
                }
                Effect::RotateHands => {
                    self.rotate_hands();
                    self.judge_all_players();
                    run.judged = true;
                }
                Effect::ShuffleHands => {
                    self.shuffle_hands(player, fate);
                    self.judge_all_players();
                    run.judged = true;
                }
                Effect::Look { who } => {
                    for seat in self.who(&who, &run, fate) {
                        if seat != player {
                            self.shown(player, seat);
                        }
                    }
                }
                Effect::Take { who, count } => {
                    for seat in self.who(&who, &run, fate) {
                        let before = self.hands[seat].len();
                        self.move_cards(seat, player, count, fate);
                        if seat != player && self.hands[seat].len() < before {
                            self.judge_call(seat); // SW-37
                        }
                    }
                    run.judged = false;
                }
                Effect::Give { who, count } => {
                    for seat in self.who(&who, &run, fate) {
                        self.move_cards(player, seat, count, fate);
                    }
                    run.judged = false;
                }
                Effect::Task { p, fail } => {
                    let done = fate.task(p);
                    if !done {
                        let mut left = fail;
                        left.extend(run.left.clone());
                        run.left = left;
                    }
                }
            }
        }
        self.finish_custom(&run);
    }

    pub(super) fn choose_option(&mut self, seat: usize, option: usize, fate: &mut dyn Fate) {
        let Phase::Choice(_, options) = self.phase.clone() else {
            panic!("no choice is asked");
        };
        let mut run = self.custom.take().expect("a custom card is being settled");
        let mut left = options[option].clone();
        left.append(&mut run.left);
        run.left = left;
        run.chooser = Some(seat);
        self.run_custom(run, fate);
    }

    fn finish_custom(&mut self, run: &CustomRun) {
        let player = run.player;
        if run.last {
            self.end(Some(player));
            return;
        }
        if !run.judged {
            self.judge_call(player);
        }
        // SW-18: an emptied hand goes out after the effects; the first in order of play from the player
        let mut order = vec![player];
        order.extend(self.others(player));
        for seat in order {
            if self.hands[seat].is_empty() {
                self.end(Some(seat));
                return;
            }
        }
        if run.again {
            self.turn_comes_to(player);
        } else {
            // no player loses two turns to one card
            let skips = run.skips.min(self.others(player).len());
            self.turn_comes_to(self.seat_after(player, 1 + skips));
        }
    }

    fn who(&self, who: &str, run: &CustomRun, fate: &mut dyn Fate) -> Vec<usize> {
        let player = run.player;
        match who {
            "self" if run.last => Vec::new(),
            "self" => vec![player],
            "next" => vec![self.next_seat(player)],
            "previous" => vec![self.others(player)[self.others(player).len() - 1]],
            "partner" => vec![self.others(player)[1]], // across from the player, at a table of four
            "others" => self.others(player),
            "all" => {
                let mut seats = Vec::new();
                if !run.last {
                    seats.push(player); // a player who is out no longer draws
                }
                seats.extend(self.others(player));
                seats
            }
            "chooser" => vec![run.chooser.expect("an option was chosen")],
            "chosen" => vec![run.chosen.expect("a player was chosen")],
            "random_other" => vec![fate.random_other(&self.others(player))],
            "smallest_hand" => {
                let mut found = self.next_seat(player);
                for other in self.others(player) {
                    if self.hands[other].len() < self.hands[found].len() {
                        found = other;
                    }
                }
                vec![found]
            }
            "largest_hand" => {
                let mut found = self.next_seat(player);
                for other in self.others(player) {
                    if self.hands[other].len() > self.hands[found].len() {
                        found = other;
                    }
                }
                vec![found]
            }
            _ => panic!("unknown player {who}"),
        }
    }

    /// The number of cards that a player draws instead of playing.
    pub(super) fn draw_as_on_turn(&mut self, seat: usize, fate: &mut dyn Fate) {
        match self.variant.draw_count.as_str() {
            "one" => self.draw_cards(seat, 1, fate),
            "until_playable" => self.draw_by_effect(seat, &Count::Until("playable".to_string()), fate),
            _ => {
                let odds = self.variant.draw_odds.clone();
                let (mut many, mut left) = (0, 1.0);
                // one question for each number that is possible, until one is it; the last needs none
                while many + 1 < odds.len() {
                    if odds[many] > 0.0 && !fate.task((left - odds[many]) / left) {
                        break;
                    }
                    left -= odds[many];
                    many += 1;
                }
                self.draw_cards(seat, many, fate);
            }
        }
    }

    fn draw_by_effect(&mut self, seat: usize, count: &Count, fate: &mut dyn Fate) {
        match count {
            Count::Fixed(many) => self.draw_cards(seat, *many, fate),
            Count::Random(from, to) => {
                let mut many = *from;
                // each of the n remaining numbers is equally likely, including the lowest
                while many < *to && fate.task((to - many) as f64 / (to - many + 1) as f64) {
                    many += 1;
                }
                self.draw_cards(seat, many, fate);
            }
            Count::Turns(turns) => {
                for _ in 0..*turns {
                    self.draw_as_on_turn(seat, fate);
                }
            }
            Count::Until(condition) if condition == "any" => {
                let held = self.hands[seat].len();
                while self.hands[seat].len() == held && self.can_draw() && !self.is_full(seat) {
                    self.draw_as_on_turn(seat, fate);
                }
            }
            Count::Until(condition) => {
                if condition == "named_color" && self.color.is_none() {
                    return;
                }
                while let Some(card) = self.draw_card(seat, fate) {
                    let stops = match condition.as_str() {
                        "named_color" => !is_wild(card) && color_of(card) == self.color,
                        "playable" => self.playable(seat, card),
                        _ => panic!("unknown condition {condition}"),
                    };
                    if stops {
                        break;
                    }
                }
            }
        }
    }

    /// Random cards move from one hand to another, one at a time, as long as there are any.
    fn move_cards(&mut self, from: usize, to: usize, many: usize, fate: &mut dyn Fate) {
        for _ in 0..many {
            if from == to || self.hands[from].is_empty() {
                return;
            }
            let place = fate.card_of_hand(&self.hands[from]);
            let card = self.hands[from].remove(place);
            self.hands[to].push(card);
            self.card_moved(from, to, card);
        }
    }

    /// All hands are collected, shuffled, and dealt evenly; cards that remain go to the first seats in order of play.
    fn shuffle_hands(&mut self, player: usize, fate: &mut dyn Fate) {
        let mut order = self.others(player);
        order.push(player);
        let mut heap = Vec::new();
        for seat in &order {
            heap.append(&mut self.hands[*seat]);
        }
        let (each, remaining) = (heap.len() / order.len(), heap.len() % order.len());
        for (place, seat) in order.iter().enumerate() {
            let many = if place < remaining { each + 1 } else { each };
            for _ in 0..many {
                let card = heap.remove(fate.card_of_hand(&heap));
                self.hands[*seat].push(card);
            }
        }
        self.forget_all_hands();
    }

    /// Discarded cards go under the top card.
    fn discard_under(&mut self, seat: usize, which: &str) {
        for card in self.hands[seat].clone() {
            let goes = match which {
                "wilds" => is_wild(card),
                "named_color" => !is_wild(card) && color_of(card) == self.color,
                _ => panic!("unknown cards {which}"),
            };
            if goes {
                let top = self.discard.pop().expect("the custom card is on top");
                self.push_on_pile(seat, card);
                self.discard.push(top);
                self.card_left(seat, card);
            }
        }
    }
}

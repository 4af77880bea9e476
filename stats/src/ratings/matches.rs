//! The data of ratings: the entrants that met, and their results as sums for a bootstrap.

use crate::bootstrap::GroupSums;
use crate::interval::Coverage;
use crate::random::Random;
use crate::unequal::{Stake, UnequalSets};

/// All pairs of this number of items, the smaller number first.
pub fn pairs(number: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..number).flat_map(move |a| (a + 1..number).map(move |b| (a, b)))
}

/// The tables: the entrants that sat together.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// The number of entrants.
    pub num_entrants: usize,
    /// The number of sides of a table: seats, or teams of partners.
    pub num_places: usize,
    /// By run: entrants by position in the turn order, each lineup once per set. All seatings of a deal are played, so the
    /// first seat is irrelevant.
    pub lineups: Vec<Vec<Vec<usize>>>,
}

/// The results.
#[derive(Debug, Clone, PartialEq)]
pub struct Totals {
    /// Sets played, by run.
    pub sets: Vec<f64>,
    /// Won games by entrant, with fractions for shared wins.
    pub wins: Vec<f64>,
    /// Won games by place in the order of play.
    pub wins_by_place: Vec<f64>,
    /// By pair, in the order of [`pairs`]: the wins of each of the two at a common table.
    pub won: Vec<[f64; 2]>,
    /// By pair: the number of common tables, once for each pair of their seats.
    pub meetings: Vec<f64>,
}

impl Totals {
    /// Whether every entrant is reachable from every other by "has won a game in which the other sat".
    #[must_use]
    pub fn connect_everyone(&self) -> bool {
        let num_entrants = self.wins.len();
        let mut beats = vec![vec![false; num_entrants]; num_entrants];
        for (pair, (a, b)) in pairs(num_entrants).enumerate() {
            let [of_a, of_b] = self.won[pair];
            // Wins and pair wins may be sampled separately.
            (beats[a][b], beats[b][a]) = (self.wins[a] > 0.0 && of_a > 0.0, self.wins[b] > 0.0 && of_b > 0.0);
        }
        let reaches_all = |is_edge: &dyn Fn(usize, usize) -> bool| {
            let mut reached = vec![false; num_entrants];
            let mut waiting = vec![0];
            while let Some(from) = waiting.pop() {
                if !std::mem::replace(&mut reached[from], true) {
                    waiting.extend((0..num_entrants).filter(|&to| is_edge(from, to)));
                }
            }
            reached.into_iter().all(|reached| reached)
        };
        num_entrants == 0 || (reaches_all(&|a, b| beats[a][b]) && reaches_all(&|a, b| beats[b][a]))
    }

    /// The table of pairs of only these entrants, in ascending order, renumbered. Wins are kept, so they include wins
    /// against others.
    #[must_use]
    pub fn of_entrants(&self, entrants: &[usize]) -> Self {
        let number = |(a, b): (usize, usize)| pair_number(entrants[a], entrants[b], self.wins.len());
        Self {
            wins: entrants.iter().map(|&entrant| self.wins[entrant]).collect(),
            won: pairs(entrants.len()).map(|pair| self.won[number(pair)]).collect(),
            meetings: pairs(entrants.len()).map(|pair| self.meetings[number(pair)]).collect(),
            ..self.clone()
        }
    }

    /// Whether an entrant has won all, or none, of its decided games in the table of pairs.
    #[must_use]
    pub fn have_certain_winner_or_loser(&self) -> bool {
        let num_entrants = self.wins.len();
        let mut of_entrant = vec![[0.0; 2]; num_entrants];
        for ((a, b), &[of_a, of_b]) in pairs(num_entrants).zip(&self.won) {
            for (entrant, won, lost) in [(a, of_a, of_b), (b, of_b, of_a)] {
                of_entrant[entrant][0] += won;
                of_entrant[entrant][1] += lost;
            }
        }
        of_entrant.iter().any(|[won, lost]| *won <= 0.0 || *lost <= 0.0)
    }

    /// The share of `a` in the games that either of the two has won; one half if there are none. `None` if they never met.
    #[must_use]
    pub fn share(&self, a: usize, b: usize) -> Option<f64> {
        let pair = |a, b| pair_number(a, b, self.wins.len());
        let share = |pair: usize| {
            let [first, second] = self.won[pair];
            let share = if first + second > 0.0 { first / (first + second) } else { 0.5 };
            (self.meetings[pair] > 0.0).then_some(share)
        };
        match a.cmp(&b) {
            std::cmp::Ordering::Less => share(pair(a, b)),
            std::cmp::Ordering::Greater => share(pair(b, a)).map(|share| 1.0 - share),
            std::cmp::Ordering::Equal => None,
        }
    }
}

/// The index of the pair `a`, `b` with `a` < `b` in the order of [`pairs`].
#[must_use]
pub const fn pair_number(a: usize, b: usize, num_entrants: usize) -> usize {
    a * (2 * num_entrants - a - 1) / 2 + (b - a - 1)
}

/// The data of one run, with the run's numbers of the entrants.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEvidence {
    /// The entrants' numbers among all that are rated together.
    pub entrants: Vec<usize>,
    /// Entrants by place in the order of play.
    pub lineups: Vec<Vec<usize>>,
    /// The units of a won game: the units of a win, times the number of seats that win together.
    pub win: u64,
    /// Wins by place in the order of play, in these units.
    pub wins_by_place: Vec<u64>,
    /// The wins at stake in a game: one, or none if all sets tie by construction.
    pub stake: Stake,
    /// The units of a win of one seat in the counts by pair.
    pub win_of_pair: u64,
    /// Meetings per set, by pair.
    pub meetings_per_set: Vec<u64>,
    /// The sample for the bootstrap.
    pub sample: Sample,
}

/// The data from which the bootstrap samples.
#[derive(Debug, Clone, PartialEq)]
pub enum Sample {
    /// Groups of sets.
    Groups(Vec<GroupSums>),
    /// Only totals with their standard errors; each total is sampled from a normal distribution.
    Errors {
        /// All sets.
        totals: GroupSums,
        /// The standard error of each entrant's wins, in games.
        wins: Vec<f64>,
        /// The standard error of the wins of the first of each pair in the games that either has won.
        won: Vec<f64>,
    },
}

/// All data about the entrants of one variant with one number of players.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// The variant.
    pub variant: String,
    /// The number of seats.
    pub seats: usize,
    /// Their names.
    pub entrants: Vec<String>,
    /// The data of each run.
    pub runs: Vec<RunEvidence>,
    /// The coverage of intervals: anytime, if the results determined the end.
    pub coverage: Coverage,
}

impl Evidence {
    /// The tables, with the entrants' numbers among all.
    #[must_use]
    pub fn design(&self) -> Design {
        let renumbered = |run: &RunEvidence| {
            let renumber = |lineup: &Vec<usize>| lineup.iter().map(|&entrant| run.entrants[entrant]).collect();
            run.lineups.iter().map(renumber).collect()
        };
        Design {
            num_entrants: self.entrants.len(),
            num_places: self.runs.first().map_or(0, |run| run.wins_by_place.len()),
            lineups: self.runs.iter().map(renumbered).collect(),
        }
    }

    /// The results of all sets.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.sum_up(|run, add| match &run.sample {
            Sample::Groups(groups) => groups.iter().for_each(|group| add(group, 1.0)),
            Sample::Errors { totals, .. } => add(totals, 1.0),
        })
    }

    /// The results of sets sampled with replacement within each run. Wins by position are not resampled.
    ///
    /// # Panics
    /// Never: there are few groups.
    #[must_use]
    pub fn drawn(&self, rng: &mut impl Random) -> Totals {
        let mut noise = Vec::new();
        let mut totals = self.sum_up(|run, add| match &run.sample {
            Sample::Groups(groups) => {
                let mut times = vec![0.0; groups.len()];
                let bound = u32::try_from(groups.len()).expect("few groups");
                groups.iter().for_each(|_| times[rng.below(bound) as usize] += 1.0);
                groups.iter().zip(times).filter(|&(_, times)| times > 0.0).for_each(|(group, times)| add(group, times));
            }
            Sample::Errors { totals, wins, won } => {
                add(totals, 1.0);
                noise.push((run, zero_sum_noise(wins, rng), normals(won, rng)));
            }
        });
        // No entrant wins more games than were played.
        let games = if noise.is_empty() { Vec::new() } else { self.games() };
        for (run, wins, won) in noise {
            for (&entrant, noise) in run.entrants.iter().zip(wins) {
                totals.wins[entrant] = (totals.wins[entrant] + noise).clamp(0.0, games[entrant]);
            }
            for (noise, (pair, _)) in won.into_iter().zip(run.pairs_among_all(self.entrants.len())) {
                let [first, second] = totals.won[pair];
                let noised = (first + noise).clamp(0.0, first + second);
                totals.won[pair] = [noised, first + second - noised];
            }
        }
        totals
    }

    /// The unequal sets of this entrant, if they are few: sets with a number of wins other than the usual one.
    #[must_use]
    pub fn unequal_sets(&self, entrant: usize) -> Option<UnequalSets> {
        let of_run = |(run, number): (&RunEvidence, usize)| {
            let (squares, sets) = run.squares_of_wins(number);
            let error = (squares / (sets as f64 * (sets as f64 - 1.0))).sqrt();
            UnequalSets::behind(error, sets, run.stake.in_set_of(1.0))
        };
        let number = |run: &RunEvidence| run.entrants.iter().position(|&other| other == entrant);
        let mut runs = self.runs.iter().filter_map(|run| Some((run, number(run)?))).map(of_run);
        let first = runs.next()??;
        runs.try_fold(first, |sum, run| sum.joined(run?))
    }

    /// The results if this entrant had won this many more games, at the expense of the others in proportion to their wins. `None`
    /// if it or the others did not play, or did not win, that many.
    #[must_use]
    pub fn shifted(&self, totals: &Totals, entrant: usize, wins: f64) -> Option<Totals> {
        let others = totals.wins.iter().sum::<f64>() - totals.wins[entrant];
        let most = others.min(self.games()[entrant] - totals.wins[entrant]);
        if !(-totals.wins[entrant]..=most).contains(&wins) {
            return None;
        }
        let gain = (1.0 + wins / totals.wins[entrant].max(1.0)).max(0.0);
        let loss = (1.0 - wins / others.max(1.0)).max(0.0);
        let factor = |of: usize| if of == entrant { gain } else { loss };
        let scale = |(of, wins): (usize, &f64)| wins * factor(of);
        let pair = |((a, b), &[of_a, of_b]): ((usize, usize), &[f64; 2])| [of_a * factor(a), of_b * factor(b)];
        Some(Totals {
            wins: totals.wins.iter().enumerate().map(scale).collect(),
            won: pairs(totals.wins.len()).zip(&totals.won).map(pair).collect(),
            ..totals.clone()
        })
    }

    /// The number of games of each entrant.
    fn games(&self) -> Vec<f64> {
        let mut games = vec![0.0; self.entrants.len()];
        for run in &self.runs {
            let sets: u64 = match &run.sample {
                Sample::Groups(groups) => groups.iter().map(|group| group.sets).sum(),
                Sample::Errors { totals, .. } => totals.sets,
            };
            for (number, &entrant) in run.entrants.iter().enumerate() {
                let a_set = run.lineups.iter().filter(|lineup| lineup.contains(&number)).count();
                games[entrant] += a_set as f64 * sets as f64;
            }
        }
        games
    }

    /// The largest number of independent groups of sets in a run.
    #[must_use]
    pub fn num_groups(&self) -> usize {
        let groups = |run: &RunEvidence| match &run.sample {
            Sample::Groups(groups) => groups.len(),
            Sample::Errors { totals, .. } => usize::try_from(totals.sets.min(1 << 20)).unwrap_or(0),
        };
        self.runs.iter().map(groups).sum()
    }

    /// The number of sets of all runs.
    #[must_use]
    pub fn num_sets(&self) -> u64 {
        let sets = |run: &RunEvidence| match &run.sample {
            Sample::Groups(groups) => groups.iter().map(|group| group.sets).sum(),
            Sample::Errors { totals, .. } => totals.sets,
        };
        self.runs.iter().map(sets).sum()
    }

    fn sum_up<'a>(&'a self, mut visit: impl FnMut(&'a RunEvidence, &mut dyn FnMut(&GroupSums, f64))) -> Totals {
        let num_entrants = self.entrants.len();
        let num_pairs = num_entrants * num_entrants.saturating_sub(1) / 2;
        let num_places = self.runs.first().map_or(0, |run| run.wins_by_place.len());
        let mut totals = Totals {
            sets: Vec::new(),
            wins: vec![0.0; num_entrants],
            wins_by_place: vec![0.0; num_places],
            won: vec![[0.0; 2]; num_pairs],
            meetings: vec![0.0; num_pairs],
        };
        for run in &self.runs {
            let mut sets = 0.0;
            let pairs = run.pairs_among_all(num_entrants);
            visit(run, &mut |group, times| {
                sets += times * group.sets as f64;
                for (&entrant, &wins) in run.entrants.iter().zip(&group.wins) {
                    totals.wins[entrant] += times * wins as f64;
                }
                for ((&[a, b], &per_set), &(pair, order)) in group.won.iter().zip(&run.meetings_per_set).zip(&pairs) {
                    let (first, second) = if order == Order::Kept { (a, b) } else { (b, a) };
                    let unit = run.win_of_pair as f64;
                    totals.won[pair][0] += times * first as f64 / unit;
                    totals.won[pair][1] += times * second as f64 / unit;
                    totals.meetings[pair] += times * (group.sets * per_set) as f64;
                }
            });
            for (total, &wins) in totals.wins_by_place.iter_mut().zip(&run.wins_by_place) {
                *total += wins as f64;
            }
            totals.sets.push(sets);
        }
        let win = self.runs.first().map_or(1, |run| run.win) as f64;
        totals.wins.iter_mut().chain(&mut totals.wins_by_place).for_each(|wins| *wins /= win);
        totals
    }
}

/// Whether the first of a pair is also the first among all entrants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Kept,
    Swapped,
}

impl RunEvidence {
    /// The squared deviations of an entrant's won games from their mean, summed over sets, and the number of sets. For groups
    /// of sets, the sum has the same expectation.
    fn squares_of_wins(&self, number: usize) -> (f64, u64) {
        match &self.sample {
            Sample::Groups(groups) => {
                let sets: u64 = groups.iter().map(|group| group.sets).sum();
                let wins = |group: &GroupSums| group.wins[number] as f64 / self.win as f64;
                let mean = groups.iter().map(wins).sum::<f64>() / sets as f64;
                (groups.iter().map(|group| (wins(group) - mean * group.sets as f64).powi(2)).sum(), sets)
            }
            Sample::Errors { totals, wins, .. } => {
                (wins[number] * wins[number] * (1.0 - 1.0 / totals.sets as f64), totals.sets)
            }
        }
    }

    /// The numbers of this run's pairs among all entrants.
    fn pairs_among_all(&self, num_entrants: usize) -> Vec<(usize, Order)> {
        let among_all = |(a, b): (usize, usize)| match (self.entrants[a], self.entrants[b]) {
            (a, b) if a < b => (pair_number(a, b, num_entrants), Order::Kept),
            (a, b) => (pair_number(b, a, num_entrants), Order::Swapped),
        };
        pairs(self.entrants.len()).map(among_all).collect()
    }
}

/// Normal numbers with these standard deviations.
fn normals(deviations: &[f64], rng: &mut impl Random) -> Vec<f64> {
    deviations.iter().map(|deviation| deviation * normal(rng)).collect()
}

/// Normal numbers that sum to zero, for games in which one entrant's win is another's loss.
fn zero_sum_noise(deviations: &[f64], rng: &mut impl Random) -> Vec<f64> {
    let noise = normals(deviations, rng);
    let count = noise.len() as f64;
    let mean = noise.iter().sum::<f64>() / count;
    let scale = if count > 1.0 { (count / (count - 1.0)).sqrt() } else { 0.0 };
    noise.iter().map(|noise| (noise - mean) * scale).collect()
}

/// Box and Muller, "A note on the generation of random normal deviates" (1958).
fn normal(rng: &mut impl Random) -> f64 {
    let (radius, angle) = ((1.0 - rng.unit()).ln(), rng.unit());
    (-2.0 * radius).sqrt() * (std::f64::consts::TAU * angle).cos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::tests::Pcg;

    /// Wins may be shared, so there may be less than one.
    #[test]
    fn shares_match_hand_computation() {
        let totals = Totals {
            sets: vec![1.0],
            wins: vec![0.0; 3],
            wins_by_place: vec![],
            won: vec![[0.25, 0.5], [0.0, 0.0], [3.0, 1.0]],
            meetings: vec![2.0, 2.0, 0.0],
        };
        assert_eq!((totals.share(0, 1), totals.share(1, 0)), (Some(1.0 / 3.0), Some(1.0 - 1.0 / 3.0)));
        assert_eq!((totals.share(0, 2), totals.share(2, 0)), (Some(0.5), Some(0.5)), "no entrant has won");
        assert_eq!((totals.share(1, 2), totals.share(1, 1)), (None, None), "they never met");
    }

    /// Of ten thousand normal numbers, one in forty is beyond 1.96 on either side: 250, with four standard deviations.
    #[test]
    fn normal_numbers_have_normal_moments() {
        let mut rng = Pcg::numbered(5);
        let drawn: Vec<f64> = (0..10_000).map(|_| normal(&mut rng)).collect();
        let mean = drawn.iter().sum::<f64>() / 1e4;
        let variance = drawn.iter().map(|number| number * number).sum::<f64>() / 1e4;
        assert!(mean.abs() < 0.04 && (variance - 1.0).abs() < 0.06, "{mean} {variance}");
        for side in [1.0, -1.0] {
            let beyond = drawn.iter().filter(|&number| number * side > 1.96).count();
            assert!((188..=312).contains(&beyond), "{beyond}");
        }
    }

    /// One entrant's win is another's loss, and each still has the specified error.
    #[test]
    fn noise_of_wins_sums_to_zero() {
        let mut rng = Pcg::numbered(6);
        let mut squares = 0.0;
        for _ in 0..2_000 {
            let noise = zero_sum_noise(&[3.0; 4], &mut rng);
            assert!(noise.len() == 4 && noise.iter().sum::<f64>().abs() < 1e-9, "{noise:?}");
            squares += noise.iter().map(|noise| noise * noise).sum::<f64>();
        }
        assert!((squares / 8_000.0 / 9.0 - 1.0).abs() < 0.07, "{squares}");
        assert_eq!(zero_sum_noise(&[3.0], &mut rng), [0.0], "no opponent to lose to");
    }
}

//! Odds: extra cards for entrants.

use anyhow::bail;
use clap::Args;
use unolab_arena::spec::Entrant;

/// Extra cards for entrants, as odds.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct OddsArgs {
    /// Give odds: deal this entrant CARDS more cards than the others in every round; may be repeated
    #[arg(long, value_name = "NAME=CARDS", value_parser = parse_extra_cards)]
    pub(crate) extra_cards: Vec<ExtraCards>,
}

/// The extra cards of an entrant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ExtraCards {
    entrant: String,
    cards: u8,
}

fn parse_extra_cards(text: &str) -> Result<ExtraCards, String> {
    // The name of an unnamed entrant is its agent, whose options contain `=`.
    let (entrant, cards) = text.rsplit_once('=').ok_or("expected NAME=CARDS, such as mine=2")?;
    match cards.trim().parse() {
        Ok(cards) if cards > 0 => Ok(ExtraCards { entrant: entrant.trim().into(), cards }),
        _ => Err(format!("`{cards}` is not a number of extra cards; allowed: a whole number from 1 to 255")),
    }
}

impl OddsArgs {
    /// The entrants with their extra cards.
    ///
    /// # Errors
    /// If a name is unknown or repeated.
    pub(crate) fn given_to(&self, mut entrants: Vec<Entrant>) -> anyhow::Result<Vec<Entrant>> {
        for ExtraCards { entrant: name, cards } in &self.extra_cards {
            let Some(entrant) = entrants.iter_mut().find(|entrant| entrant.name == *name) else {
                let names: Vec<&str> = entrants.iter().map(|entrant| &*entrant.name).collect();
                bail!("--extra-cards {name}={cards}: unknown entrant; entrants: {}", names.join(", "));
            };
            if entrant.extra_cards > 0 {
                bail!("--extra-cards names `{name}` twice");
            }
            entrant.extra_cards = *cards;
        }
        Ok(entrants)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn odds(options: &[&str]) -> OddsArgs {
        OddsArgs { extra_cards: options.iter().map(|option| parse_extra_cards(option).unwrap()).collect() }
    }

    #[test]
    fn extra_cards_are_given_by_entrant_name() {
        let entrants = || Entrant::name_all(["mine=greedy", "heuristic:goal=win"]);
        let given = odds(&["heuristic:goal=win=3"]).given_to(entrants()).unwrap();
        assert_eq!(given.iter().map(|entrant| entrant.extra_cards).collect::<Vec<_>>(), [0, 3]);
        let error = |options: &[&str]| odds(options).given_to(entrants()).unwrap_err().to_string();
        assert_eq!(error(&["my=2"]), "--extra-cards my=2: unknown entrant; entrants: mine, heuristic:goal=win");
        assert_eq!(error(&["mine=2", "mine=3"]), "--extra-cards names `mine` twice");
    }

    #[test]
    fn invalid_number_of_extra_cards_is_refused() {
        for text in ["mine=0", "mine=-2", "mine=", "mine=256", "mine=1.5"] {
            assert!(parse_extra_cards(text).unwrap_err().ends_with("allowed: a whole number from 1 to 255"), "{text}");
        }
        assert_eq!(parse_extra_cards("mine").unwrap_err(), "expected NAME=CARDS, such as mine=2");
    }
}

//! A round of Disney UNO between four players who choose at random.

use unolab_engine::{Rng, Round, Rules, rand::RngExt as _};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::builder("disney").set("points.villain_draw_four", "50")?.seats(4).build()?;
    let mut rng = Rng::from_seed(7);
    let mut round = Round::deal(&rules, 1);
    while let Some(decision) = round.decision() {
        let action = decision.actions[rng.random_range(0..decision.actions.len())];
        println!("seat {} {}", decision.seat, rules.display(action));
        round.apply(action)?;
    }
    println!("{:?} {:?}", round.returns(), round.points());
    Ok(())
}

//! The electronic game of the handheld edition: its buttons, its levels, its clock, and its high score.
//!
//! The module gets button presses and the time in milliseconds, and shows a [`Screen`]. It does not read a clock, so equal
//! seeds, buttons, and times give equal games. The rulings HH-07 to HH-22 cover cases that the rule sheet does not; comments
//! cite them. The sheet is for one person; several people pass the machine around, and each has an UNO button.

mod button;
mod clock;
mod hand;
mod hi_score;
mod level;
mod machine;
mod mode;
mod screen;
mod sound;
mod uno_race;

pub use button::Button;
pub use hi_score::HiScoreFile;
pub use level::Level;
pub use machine::{DRAWN_CARD_MS, FALSE_PRESS_MS, HI_SCORE_MS, Handheld, IDLE_MS, MOST_PLAYERS, OFF_MS, THINKING_MS};
pub use screen::Screen;
pub use sound::Sound;

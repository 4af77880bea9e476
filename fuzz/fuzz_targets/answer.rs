//! A line from a bot: a greeting, or an answer to a decision.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unolab_agents::external::read_line_of_program;

fuzz_target!(|bytes: &[u8]| {
    read_line_of_program(bytes, 7, 5);
});

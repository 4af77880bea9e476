//! Detects whether bits are counted with one instruction, or with the code that replaces it on processors without it.
//!
//! A function that is not inlined into code for the processor is compiled for any processor. It still works, so no other
//! test notices. The replacement of the instruction begins with a constant of alternating bits. This module finds the
//! addresses in the program that load the constant, and looks up in the profile how often they were executed.

use std::collections::BTreeSet;
use std::path::Path;

/// The number of times that the program counted the bits of a word in software, from a callgrind profile with addresses.
pub(crate) fn popcounts(profile: &str, program: &Path, code: &[u8]) -> u64 {
    let begin = beginnings(code).unwrap_or_default();
    let program = program.display().to_string();
    // A name is written out once, with a number that replaces it in later lines.
    let (mut numbers, mut is_ours, mut is_call) = (BTreeSet::new(), false, false);
    let mut sum = 0;
    for line in profile.lines() {
        if let Some(object) = line.strip_prefix("ob=").or_else(|| line.strip_prefix("cob=")) {
            let number = object.split(' ').next();
            if object.ends_with(&program) {
                numbers.insert(number);
            }
            if line.starts_with("ob=") {
                is_ours = numbers.contains(&number);
            }
        } else if line.starts_with("calls=") {
            is_call = true; // the next line has the counts of the called function
        } else if let Some(position) = line.strip_prefix("0x") {
            if is_ours && !is_call {
                let mut words = position.split(' ');
                let address = words.next().and_then(|address| u64::from_str_radix(address, 16).ok());
                let times = words.nth(1).and_then(|times| times.parse::<u64>().ok());
                if address.is_some_and(|address| begin.contains(&address)) {
                    sum += times.unwrap_or(0);
                }
            }
            is_call = false;
        }
    }
    sum
}

/// The addresses of the instructions that load the constant; none if the file is not a 64-bit ELF program for x86.
fn beginnings(code: &[u8]) -> Option<BTreeSet<u64>> {
    const CONSTANT: [u8; 8] = [0x55; 8];
    let number = |at: usize, len: usize| {
        let bytes = code.get(at..at + len)?;
        Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    };
    let index = |at: usize, len: usize| number(at, len).and_then(|number| usize::try_from(number).ok());
    if code.get(..5)? != b"\x7fELF\x02" {
        return None;
    }
    let (table, size, count) = (index(0x20, 8)?, index(0x36, 2)?, index(0x38, 2)?);
    let mut addresses = BTreeSet::new();
    for entry in (0..count).map(|i| table + i * size) {
        let (is_loaded, is_executed) = (number(entry, 4)? == 1, number(entry + 4, 4)? & 1 == 1);
        if !is_loaded || !is_executed {
            continue;
        }
        let (offset, address, len) = (index(entry + 8, 8)?, number(entry + 16, 8)?, index(entry + 32, 8)?);
        // movabs register, constant
        let is_beginning =
            |bytes: &[u8]| matches!(bytes[0], 0x48 | 0x49) && matches!(bytes[1], 0xb8..=0xbf) && bytes[2..] == CONSTANT;
        let windows = (address..).zip(code.get(offset..offset + len)?.windows(10));
        addresses.extend(windows.filter(|(_, bytes)| is_beginning(bytes)).map(|(address, _)| address));
    }
    Some(addresses)
}

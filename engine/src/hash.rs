//! Hashes of words and strings that are identical on every machine and in every version. They are not secure against an
//! adversary.

/// The finalizer of `MurmurHash3`: a bijection in which every input bit moves every output bit.
#[inline]
#[must_use]
pub const fn mix(mut word: u64) -> u64 {
    word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word ^= word >> 33;
    word = word.wrapping_mul(0xff51_afd7_ed55_8ccd);
    word ^= word >> 33;
    word = word.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ word >> 33
}

/// A 64-bit digest of a string, for checksums and spec names; not secure against an adversary.
#[must_use]
pub fn digest(text: &str) -> u64 {
    text.bytes().fold(mix(text.len() as u64), |hash, byte| mix(hash ^ u64::from(byte)))
}

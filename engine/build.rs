//! Sets `native_x86_64` where the code for x86-64 is compiled in. With `UNOLAB_PORTABLE` set it is left out, as on any other
//! processor: so that what those get can be checked on this one. And sets `vectors_of_words` where vectors of plain words are:
//! in tests, and where there are no others. They are slow, and would be a fiftieth of a binary.

use std::env;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(native_x86_64, vectors_of_words)");
    println!("cargo::rerun-if-env-changed=UNOLAB_PORTABLE");
    let is_x86_64 = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    let is_native = is_x86_64 && env::var_os("UNOLAB_PORTABLE").is_none();
    if is_native {
        println!("cargo::rustc-cfg=native_x86_64");
    }
    if !is_native || env::var_os("CARGO_CFG_DEBUG_ASSERTIONS").is_some() {
        println!("cargo::rustc-cfg=vectors_of_words");
    }
}

//! Sets `native_x86_64` where the code for x86-64 is compiled in. With `UNOLAB_PORTABLE` set it is left out, as on any other
//! processor: so that what those get can be checked on this one.

use std::env;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(native_x86_64)");
    println!("cargo::rerun-if-env-changed=UNOLAB_PORTABLE");
    let is_x86_64 = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    if is_x86_64 && env::var_os("UNOLAB_PORTABLE").is_none() {
        println!("cargo::rustc-cfg=native_x86_64");
    }
}

#!/usr/bin/env bash
# Everything that must hold before a change lands: format, lints, tests, docs, and each bench run once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export RUSTDOCFLAGS="-D warnings"

step() { printf '\n== %s\n' "$*"; }

step format
cargo fmt --all --check
step lints
cargo clippy --workspace --all-targets --locked -- -D warnings
step docs
cargo doc --workspace --no-deps --locked
step benches, each once
cargo bench -p unolab-benches --profile test --locked -- --test
step tests
cargo test --workspace --locked

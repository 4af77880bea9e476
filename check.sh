#!/usr/bin/env bash
# Everything that must hold before a change lands: format, lints, docs, each bench once, tests, and no turn
# that takes more instructions than recorded.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export RUSTDOCFLAGS="-D warnings"

step() { printf '\n== %s\n' "$*"; }

# need COMMAND PACKAGE: a tool of the tests, from Debian's package where it is missing and may be installed.
need() {
    if command -v "$1" >/dev/null; then return; fi
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null && apt-get update -qq &&
        DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$2" >/dev/null; then return; fi
    printf '%s is not installed: the tests that need it are passed over, and fail where CI is set\n' "$1"
}

step imports
python3 .ci/imports.py
step format
cargo fmt --all --check
step lints
cargo clippy --workspace --all-targets --locked -- -D warnings
step lints of what other processors get
UNOLAB_PORTABLE=1 cargo clippy --workspace --all-targets --locked -- -D warnings
step docs
cargo doc --workspace --no-deps --locked
step benches, each once
cargo bench -p unolab-benches --profile test --locked -- --test
step tools
need chromium chromium

step the example of a bot
cargo run --quiet --profile test -p own-bot --locked -- match --agents thrifty,greedy --sets 100 --out "$(mktemp -d)/run"
step tests
cargo test --workspace --locked
step instructions
need valgrind valgrind
if command -v valgrind >/dev/null || [ -n "${CI:-}" ]; then
    cargo bench -p unolab-benches --bench instructions --locked
fi

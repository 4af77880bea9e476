#!/usr/bin/env bash
# Everything that must hold before a change is merged: imports, study reports, wording, format, lints, docs, tests, the Python
# package, and instruction counts that do not exceed their records.
#
#   ./check.sh          what continuous integration runs
#   ./check.sh --all    also what takes longer: run it before a release
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export RUSTDOCFLAGS="-D warnings"
# An incremental build would prepare for a second build, which does not come.
export CARGO_INCREMENTAL=0
# Tests of programs and pages mostly wait.
export RUST_TEST_THREADS=$((2 * $(getconf _NPROCESSORS_ONLN)))

all=
case "${1:-}" in
"") ;;
--all) all=--all ;;
*) printf 'usage: %s [--all]; not known: %s\n' "$0" "$1" >&2 && exit 2 ;;
esac

step() { printf '\n== %s (%s s)\n' "$*" "$SECONDS"; }

# need COMMAND PACKAGE: a tool of the tests, from Debian's package where it is missing and may be installed.
need() {
    if command -v "$1" >/dev/null; then return; fi
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null && apt-get update -qq &&
        DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$2" >/dev/null; then return; fi
    printf '%s is not installed: the tests that need it are passed over, and fail where CI is set\n' "$1"
}

step tools
need python3 python3
need node nodejs
need chromium chromium
need valgrind valgrind

# Packages are downloaded while the compiler works. If this fails, the Python step tries again and says why.
python/check.sh --environment >/dev/null 2>&1 &
downloads=$!

step imports
python3 .ci/imports.py
step study reports
python3 results/pages.py
python3 results/test_pages.py
python3 results/test_tune.py
step links of the handbook
python3 .ci/test_book.py
python3 .ci/book.py
step wording
python3 .ci/test_style.py
python3 .ci/style.py
step format
cargo fmt --all --check
step lints
cargo clippy --workspace --all-targets --locked -- -D warnings
step docs
cargo doc --workspace --no-deps --locked
step tests
cargo test --workspace --locked
# The Python package is checked at the same time as the next steps, each of which mostly uses one processor.
wait "$downloads" || true
package=$(mktemp)
python/check.sh $all >"$package" 2>&1 &
packaging=$!
trap 'kill "$packaging" 2>/dev/null; rm -f "$package"' EXIT
step published studies with the binary that the README builds
# Without development dependencies, whose Cargo features could change the arithmetic of the test build.
env --unset=CARGO_INCREMENTAL cargo build --release --locked
target/release/unolab verify results --quick
step benchmarks, once each
# Of the whole workspace, as above: what other crates have been built with is not built again.
cargo bench --workspace --bench '*' --profile test --locked -- --test
step the rules on other processors
# A directory of its own keeps the other builds for a developer. Continuous integration builds once, and reuses the libraries.
portable=target/portable
[ -z "${CI:-}" ] || portable=target
UNOLAB_PORTABLE=1 UNOLAB_TURNS=100000 CARGO_TARGET_DIR=$portable cargo test -p unolab-engine --locked
if command -v valgrind >/dev/null || [ -n "${CI:-}" ]; then
    step instructions
    cargo run --quiet --profile bench -p unolab-benches --bin instructions --locked
fi
step the Python package
result=0
wait "$packaging" || result=$?
cat "$package"
rm -f "$package"
trap - EXIT
[ "$result" -eq 0 ] || exit "$result"

if [ -n "$all" ]; then
    step licenses, bans, and sources of dependencies
    # Against the registry's index as it is kept here; continuous integration asks for advisories too.
    command -v cargo-deny >/dev/null || cargo install --quiet --locked cargo-deny
    cargo deny --offline check bans licenses sources
    step packages
    cargo package --workspace --allow-dirty --locked
    step the handbook as a book
    command -v mdbook >/dev/null || cargo install --quiet --locked mdbook
    mdbook build docs
    python3 .ci/book.py --built target/book
    step lints for other processors
    UNOLAB_PORTABLE=1 CARGO_TARGET_DIR=target/portable cargo clippy --workspace --all-targets --locked -- -D warnings
    step fuzz targets, a minute each
    for target in variant overrides position setup scenario record cards agent_spec answer run_dir shard; do
        mkdir -p "fuzz/corpus/$target"
        (cd fuzz && cargo +nightly fuzz run --fuzz-dir . "$target" "corpus/$target" "seeds/$target" -- \
            -max_total_time=60 -dict=words.dict -timeout=20)
    done
    step the paths with unsafe code, under the address sanitizer
    RUSTFLAGS=-Zsanitizer=address CARGO_TARGET_DIR=target/sanitized UNOLAB_TURNS=20000 \
        cargo +nightly test -p unolab-engine --target x86_64-unknown-linux-gnu --lib --tests
    step full studies
    cargo run --release --quiet -- verify results
fi

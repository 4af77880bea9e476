#!/usr/bin/env bash
# run.sh WHAT SEED COUNT [PLACE...]
# Copies the tree and alters COUNT places in the copy, drawn by SEED. COUNT/file, such as 2/file, alters COUNT places in each file.
# The places are drawn from the files of WHAT (see below), or from the PLACEs: directories or files, such as engine/state/legal.rs.
# Builds the tests once. For each mutant, runs the tests that pass its place, until one fails. Prints a table: the number of the
# mutant, its place, what is altered, and the test that has noticed it, or `nothing`. UNOLAB_MUTANTS='3|17' runs only these mutants.
set -euo pipefail
what=$1 seed=$2 count=$3
shift 3

# The places to alter, and the crates whose tests are run.
case $what in
engine) places=(engine/state engine/rules) crates=(unolab-engine) ;;
agents) places=(agents/search agents/belief) crates=(unolab-agents) ;;
stats) places=(stats) crates=(unolab-stats) ;;
command) places=(arena commands) crates=(unolab-arena unolab-commands unolab) ;;
play) places=(play) crates=(unolab-play) ;;
all) places=(engine agents stats arena commands play) crates=(unolab-{engine,agents,stats,arena,commands} unolab unolab-play) ;;
*) printf '%s: engine, agents, stats, command, play or all\n' "$what" >&2 && exit 2 ;;
esac
[ $# -eq 0 ] || places=("$@")

root=$(git -C "$(dirname "${BASH_SOURCE[0]}")" rev-parse --show-toplevel)
copies=${UNOLAB_MUTANTS_DIR:-$root/target/mutants}
copy=$copies/$what-$seed
mkdir -p "$copy"
mutants() { cargo run --quiet --manifest-path "$root/fuzz/Cargo.toml" -p unolab-mutants -- "$@"; }
export RUSTFLAGS=-Awarnings CARGO_TARGET_DIR=$copies/target UNOLAB_MUTANTS_WITHOUT=${UNOLAB_MUTANTS_WITHOUT:-}
build() { (cd "$copy" && cargo test --quiet "${crates[@]/#/-p=}" --lib --bins --tests --no-run --message-format=json); }

# The compiler refuses some mutants, such as the difference of two texts: they are left out.
while :; do
    git -C "$root" ls-files -z | tar -C "$root" --null -T - -cf - | tar -C "$copy" -xf -
    rm -f "$copy"/mutants.{tests,noticed}
    mutants alter "$copy" "$seed" "$count" "${places[@]}" >"$copy/mutants.txt"
    build >"$copy/built.json" && break
    refused=$(mutants refused "$copy" <"$copy/built.json")
    printf 'refused: %s\n' "$refused" >&2
    [ -n "$refused" ] || exit 1
    UNOLAB_MUTANTS_WITHOUT=$UNOLAB_MUTANTS_WITHOUT${UNOLAB_MUTANTS_WITHOUT:+|}$refused
done

export UNOLAB_TURNS=${UNOLAB_TURNS:-5000} PROPTEST_CASES=${PROPTEST_CASES:-24} RUST_BACKTRACE=0
mutants run "$copy/mutants.txt" <"$copy/built.json"

#!/usr/bin/env bash
# run.sh CRATE SEED COUNT [FOLDER...]: alters COUNT places of CRATE/src/FOLDER... (the parts named below without others) in a
# copy of the tree, builds the crate's tests once, and runs them once for each mutant until one fails. Prints a table: the
# mutant's number, its place, what is altered, and the test that has noticed it, or `nothing`. UNOLAB_MUTANTS='3|17' runs
# these alone.
set -euo pipefail
crate=$1 seed=$2 count=$3
shift 3

# The tests of each crate, those first that notice most in the least time; after a colon, the part of the tests that is run.
case $crate in
engine)
    folders=(state rules)
    tests=(unolab_engine all:edges:: all:scenarios:: all:loading:: all:laws:: all:state_text:: all:user_input:: all:records::
        all:round:: all:lockstep:: all:information::)
    ;;
agents)
    folders=(search belief)
    tests=(unolab_agents:search unolab_agents:belief all:search:: all:endgame:: all:perfect_information:: all:moves::searching
        all:any_variant::searches all:conformance::a_round)
    ;;
stats)
    folders=("")
    tests=(unolab_stats)
    ;;
*) printf '%s: engine, agents or stats\n' "$crate" >&2 && exit 2 ;;
esac
[ $# -eq 0 ] || folders=("$@")

root=$(git -C "$(dirname "${BASH_SOURCE[0]}")" rev-parse --show-toplevel)
copies=${UNOLAB_MUTANTS_FOLDER:-$root/target/mutants}
copy=$copies/$crate-$seed
mkdir -p "$copy"
git -C "$root" ls-files -z | tar -C "$root" --null -T - -cf - | tar -C "$copy" -xf -
cargo run --quiet --manifest-path "$root/fuzz/Cargo.toml" -p unolab-mutants -- \
    "$copy/$crate" "$seed" "$count" "${folders[@]}" >"$copy/mutants.txt"

cd "$copy/$crate"
targets=()
for test in $(printf '%s\n' "${tests[@]%%:*}" | sort -u); do
    case $test in unolab_*) targets+=(--lib) ;; *) targets+=(--test "$test") ;; esac
done
export RUSTFLAGS=-Awarnings
build() { CARGO_TARGET_DIR=$copies/target cargo test --quiet -p "unolab-$crate" "${targets[@]}" --no-run "$@"; }
build >&2
# Other copies, whose crates have the same names, are built in the same folder.
rm -rf "$copy/tests" && mkdir "$copy/tests"
build --message-format=json 2>/dev/null | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | xargs cp -t "$copy/tests"

export UNOLAB_TURNS=${UNOLAB_TURNS:-5000} PROPTEST_CASES=${PROPTEST_CASES:-24} RUST_BACKTRACE=0
export seconds=${UNOLAB_MUTANTS_SECONDS:-60} executables=$copy/tests all="${tests[*]}"

# what_fails NUMBER: the first test that fails under this mutant, or nothing. An endless loop fails when its time of the
# processor is up, so that other work on the machine makes no difference.
what_fails() {
    local test binary part file found
    for test in $all; do
        IFS=: read -r binary part <<<"$test"
        file=$(printf '%s\n' "$executables/$binary"-*)
        # The first failure closes the pipe, which ends the tests.
        found=$({
            (ulimit -t "$seconds" && UNOLAB_MUTANT=$1 exec "$file" --test-threads=1 $part 2>/dev/null)
            printf '\nend: %s\n' $?
        } | sed -n -e '/^test .*FAILED$/ { s/^test \([^ ]*\).*/\1/p; q }' -e 's/^end: \(137\|152\)$/no end/p' -e 's/^end: [^0].*/a crash/p')
        # A test of the binary that has all files goes by its file.
        [ "$binary" != all ] || { binary=${part%%::*} found=${found#*::}; }
        [ -z "$found" ] || { printf '%s: %s' "$binary" "$found" && return; }
    done
}
line() {
    local found
    found=$(what_fails "$1")
    printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "${found:-nothing}"
}
export -f what_fails line

found=$(what_fails 0)
[ -z "$found" ] || { printf 'without a mutant there fails %s\n' "$found" >&2 && exit 1; }
grep -E "^(${UNOLAB_MUTANTS:-[0-9]+})"$'\t' "$copy/mutants.txt" | tr '\t' '\n' |
    nice -n 19 xargs -d '\n' -n 3 -P "${UNOLAB_MUTANTS_PROCESSES:-2}" bash -c 'line "$@"' line | tee "$copy/noticed.txt" >&2
printf 'number,place,what,noticed_by\n'
sort -n "$copy/noticed.txt" | tr '\t' ','
printf '%s of %s survived\n' "$(grep -c $'\tnothing$' "$copy/noticed.txt")" "$(wc -l <"$copy/noticed.txt")" >&2

#!/usr/bin/env bash
# run.sh SEED COUNT [FOLDER...]: alters COUNT places of the engine's folders (state and rules without others) in a copy of
# the tree, builds the tests once, and runs them once for each mutant until one fails. Prints those that none has noticed.
set -euo pipefail
seed=$1 count=$2
shift 2
[ $# -gt 0 ] || set -- state rules
root=$(git -C "$(dirname "${BASH_SOURCE[0]}")" rev-parse --show-toplevel)
copy=${UNOLAB_MUTANTS_FOLDER:-$root/target/mutants}
mkdir -p "$copy"
git -C "$root" ls-files -z | tar -C "$root" --null -T - -cf - | tar -C "$copy" -xf -
cargo run --quiet --manifest-path "$root/fuzz/Cargo.toml" -p unolab-mutants -- "$copy/engine" "$seed" "$count" "$@" >"$copy/mutants.txt"
cd "$copy"
export UNOLAB_TURNS=20000 PROPTEST_CASES=24
build() { cargo test -p unolab-engine --lib --test scenarios --test edges --test state_text --test information \
    --test records --test laws --test lockstep --test user_input "$@"; }
build --no-run
tests=$(build --no-run --message-format=json 2>/dev/null |
    sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
cd engine
survivors=0
while IFS=$'\t' read -r number place what; do
    for test in $tests; do
        if ! UNOLAB_MUTANT=$number timeout 300 "$test" --quiet >/dev/null 2>&1; then continue 2; fi
    done
    survivors=$((survivors + 1))
    printf 'survived\t%s\t%s\t%s\n' "$number" "$place" "$what"
done <"$copy/mutants.txt"
printf '%s of %s survived\n' "$survivors" "$(wc -l <"$copy/mutants.txt")"

#!/usr/bin/env bash
# Everything that must hold of the Python package: format, lints, types, a wheel that installs, the tests.
#
#   ./check.sh                the short form
#   ./check.sh --all          also what takes long: ten million steps in constant memory, a hundred thousand positions of
#                             every edition that leak nothing, learners that learn (RLCard's form, the example's), the
#                             notebook, the instructions of a decision, and the README's first steps in a new environment
#   ./check.sh --environment  only downloads and installs the packages that the short form uses
#
# PYTHON names the interpreter (3.11 or newer: some of the tests' packages ask for it), VENV the directory of the environment.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

python=${PYTHON:-python3}
venv=${VENV:-target/venv}
requirements=(requirements.txt)
pytest=()
all=false
only_environment=false
for argument in "$@"; do
    case $argument in
    --all) requirements+=(requirements-all.txt) pytest+=(--all) all=true ;;
    --environment) only_environment=true ;;
    *) printf 'usage: %s [--all | --environment]; not known: %s\n' "$0" "$argument" >&2 && exit 2 ;;
    esac
done

step() { printf '\n== python: %s\n' "$*"; }

step environment
for file in "${requirements[@]}"; do
    if ! cmp -s "$file" "$venv/$file"; then
        [ "$file" != requirements.txt ] || "$python" -m venv --clear "$venv"
        "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$file"
        cp "$file" "$venv/$file"
    fi
done
if $only_environment; then exit; fi
step format
cargo fmt --check
step wheel
rm -rf target/wheels
"$venv/bin/maturin" build --release --locked --quiet --interpreter "$venv/bin/python" --out target/wheels
"$venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps target/wheels/*.whl
step types
"$venv/bin/mypy" --config-file pyproject.toml python/unolab
step tests
"$venv/bin/pytest" "${pytest[@]}"
step lints
# In the target directory of the other crates: most libraries of others have been checked there already. Last, because ../check.sh
# builds there at the same time, and this step would wait for it.
CARGO_TARGET_DIR=../target cargo clippy --locked --all-targets -- -D warnings

if $all; then
    step instructions of a decision
    if command -v valgrind >/dev/null || [ -n "${CI:-}" ]; then
        "$venv/bin/python" ../benches/peers/instructions.py --check ../results/speed/python-instructions.md
    fi
    step first steps in a new environment
    new=$(mktemp -d)
    trap 'rm -rf "$new"' EXIT
    "$python" -m venv "$new/venv"
    "$new/venv/bin/pip" install --quiet --disable-pip-version-check .
    (cd "$new" && venv/bin/python -c 'import unolab; print(unolab.tournament(["heuristic", "greedy", "random"], seats=[2]))')
fi

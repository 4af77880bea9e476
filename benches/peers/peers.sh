#!/usr/bin/env bash
# Compares unolab, RLCard and OpenSpiel, measured in one run on one core: a Markdown table on standard output.
#
#     benches/peers/peers.sh [--repeats N] [--seconds S] [--out FILE]
#
# Needs Python 3.11 or later with venv and pip, a package registry, and cargo. About four minutes once everything is
# installed. The virtual environment is kept in target/peers-venv (or $PEERS_VENV). Exit status 2 if something is missing.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
venv=${PEERS_VENV:-$target/peers-venv}

missing() {
    echo "peers.sh: $1" >&2
    exit 2
}

command -v python3 >/dev/null || missing "python3 is not installed; on Debian or Ubuntu: apt-get install -y python3 python3-venv"
command -v cargo >/dev/null || missing "cargo is not installed; see https://rustup.rs"

if ! cmp -s "$here/requirements.txt" "$venv/installed.txt"; then
    echo "peers.sh: installing RLCard and OpenSpiel in $venv" >&2
    rm -rf "$venv"
    python3 -m venv "$venv" >&2 ||
        missing "python3 cannot make a virtual environment; on Debian or Ubuntu: apt-get install -y python3-venv"
    "$venv/bin/python" -m pip install --quiet --only-binary open_spiel --requirement "$here/requirements.txt" >&2 ||
        missing "pip could not install the peers: it needs a package registry, and Python 3.11 or later for OpenSpiel's wheel"
    cp "$here/requirements.txt" "$venv/installed.txt"
fi

(cd "$root" && cargo build --quiet --profile dist --package unolab) || missing "unolab does not build"
exec "$venv/bin/python" "$here/side_by_side.py" --unolab "$target/dist/unolab" "$@"

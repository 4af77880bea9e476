#!/usr/bin/env bash
# Runs learners of other libraries in the environments of unolab: Stable-Baselines3, Tianshou, SuperSuit, RLlib, OpenSpiel, RLCard.
#
#   ./clients.sh [WHEEL]      installs the wheel, or builds one, and runs clients/test_clients.py
#
# PYTHON names the interpreter (3.10 or newer), VENV the directory of the environment. The environment needs several gigabytes,
# because the libraries need PyTorch; PIP_EXTRA_INDEX_URL may name an index with its builds for processors only.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

python=${PYTHON:-python3}
venv=${VENV:-target/clients-$("$python" -c 'import sys; print(f"{sys.version_info.major}.{sys.version_info.minor}")')}
[ "$#" -le 1 ] || { printf 'usage: %s [WHEEL]\n' "$0" >&2 && exit 2; }

[ -d "$venv" ] || "$python" -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check -r clients/requirements.txt
"$venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "${1:-.}"
"$venv/bin/pytest" -c pyproject.toml --rootdir . clients

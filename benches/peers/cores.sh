#!/usr/bin/env bash
# Measures the elapsed time of three jobs with 1, 2, 4, ... threads, up to the number of cores: CSV on standard output.
#
#     benches/peers/cores.sh [UNOLAB] [REPEATS]
#
# UNOLAB is the program, by default target/release/unolab. The job `sets 4` is the default job with four sets: almost all of
# it is work that does not grow with the number of games.
set -euo pipefail

unolab=${1:-target/release/unolab}
repeats=${2:-3}
cores=$(nproc)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

jobs=(
    "default:"
    "random,greedy:tournament --agents random,greedy --variant classic --seats 2,4 --sets 400000 --seed 9"
    "train:train --seats 2 --pretrain 0 --from net --rounds 1 --choices 1000 --test-games 2000"
    "sets 4:--sets 4"
)

echo "job,threads,seconds"
for job in "${jobs[@]}"; do
    read -ra options <<<"${job#*:}"
    for ((threads = 1; threads <= cores; threads *= 2)); do
        for ((repeat = 0; repeat < repeats; repeat++)); do
            rm -rf "$out/run"
            start=$(date +%s.%N)
            "$unolab" ${options[@]+"${options[@]}"} --quiet --threads "$threads" --out "$out/run" >/dev/null
            end=$(date +%s.%N)
            awk -v job="${job%%:*}" -v threads="$threads" -v start="$start" -v end="$end" \
                'BEGIN { gsub(/,/, " and ", job); printf "%s,%s,%.3f\n", job, threads, end - start }'
        done
    done
done

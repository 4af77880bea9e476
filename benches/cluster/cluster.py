"""Estimates the speed of a large cluster from measurements on one processor and a simulation. Prints Markdown on standard output.

    python benches/cluster/cluster.py [--agents A,B] [--seconds S] [--out FILE]

Needs unolab and Ray (pip install './python[ray]'). It measures the speed of one worker, the time that the run spends on each
batch (scheduling, reading, and adding up), and the time that Ray's driver adds to each task with a result of that size. Then it
simulates machines of 16 processors: batches of about four seconds, two per processor, and results read one after the other.
The network is modeled only as a delay.
"""

import argparse
import heapq
import json
import os
import pathlib
import subprocess
import sys
import time

PROCESSORS = 16
MACHINES = (1, 4, 16, 64)
BATCH_SECONDS = 4.0  # the target length of a batch in a run, including waiting
DELAY = 0.002  # the transfer of a task to another machine and of its result back


def program(*words):
    return [sys.executable, "-m", "unolab", *words]


def measure(agents, seconds):
    """Measures one run with one worker: sets per second of the worker, and processor seconds of the run for each result.

    Batches are small here, to get enough results. The length of a result does not depend on the number of sets.
    """
    words = ["match", f"--agents={agents}", "--sets=100000000", "--remote=10000", "--threads=2", "--out=-"]
    directory = pathlib.Path(f"/tmp/unolab-cluster-{os.getpid()}")
    words[-1] = f"--out={directory}"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    run = subprocess.Popen(program(*words), **pipes, stderr=subprocess.DEVNULL)
    worker = subprocess.Popen(program("worker"), **pipes)
    answers = sets = size = 0
    begin, start = None, time.monotonic()
    for line in run.stdout:
        if line.startswith(b'{"progress"'):
            continue
        worker.stdin.write(line)
        worker.stdin.flush()
        if not line.startswith(b'{"batch"'):
            continue
        asked = json.loads(line)["batch"]["sets"]
        answer = worker.stdout.readline()
        run.stdin.write(answer)
        run.stdin.flush()
        # The first batches are excluded: they are small, and the programs are still being loaded.
        if begin is None and time.monotonic() - start > 5:
            begin = processor_seconds(run.pid), processor_seconds(worker.pid)
        elif begin is not None:
            answers, sets, size = answers + 1, sets + asked["end"] - asked["start"], len(answer)
            if time.monotonic() - start > seconds + 5:
                break
    cost = (processor_seconds(run.pid) - begin[0]) / answers
    rate = sets / (processor_seconds(worker.pid) - begin[1])
    for process in (run, worker):
        process.kill()
        process.wait()
    subprocess.run(["rm", "-rf", str(directory)], check=True)
    return {"sets_per_s": rate, "answer_s": cost, "answer_bytes": size}


def processor_seconds(pid):
    """The processor time of a process's live threads: to the nanosecond, because clock ticks are too coarse."""
    threads = pathlib.Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def measure_ray(size, tasks=200):
    """Processor seconds of the driver for each task with a result of this size."""
    os.environ.setdefault("RAY_worker_niceness", "0")  # other work may share this machine
    import ray

    ray.init(num_cpus=1, log_to_driver=False, configure_logging=False)
    answer = ray.remote(lambda line: b"x" * size)
    ray.get([answer.remote(b"x" * 120) for _ in range(50)])
    begin = time.process_time()
    out = {answer.remote(b"x" * 120) for _ in range(32)}
    for number in range(tasks):
        ready, _ = ray.wait(list(out))
        out -= set(ready)
        ray.get(ready)
        if number < tasks - 32:
            out.add(answer.remote(b"x" * 120))
    cost = (time.process_time() - begin) / tasks
    ray.shutdown()
    return cost


def simulate(processors, sets, measured, task_s):
    """The seconds until this many sets are counted, and the share of the time in which the reader of the results is busy.

    Every slot (two per processor, at most 1,024) chooses the size of its next batch like the run: first a single set, then at most
    eight times the previous size and about four seconds of work, and smaller batches towards the end.
    """
    slots = min(1024, 2 * processors)
    free = [0.0] * processors  # when each processor is free
    heapq.heapify(free)
    cost = measured["answer_s"] + task_s
    asking = [(0.0, slot, 1.0, 0.0) for slot in range(slots)]  # time, slot, and the size and duration of its last batch
    heapq.heapify(asking)
    reader = busy = end = 0.0
    left = float(sets)
    while left > 0 and asking:
        now, slot, size, took = heapq.heappop(asking)
        wanted = 1.0 if took == 0 else max(1.0, min(8 * size, size * BATCH_SECONDS / took))
        wanted = max(1.0, min(wanted, left / (4 * slots), left))
        left -= wanted
        begin = max(now + DELAY / 2, heapq.heappop(free))
        done = begin + wanted / measured["sets_per_s"]
        heapq.heappush(free, done)
        reader = max(reader, done + DELAY / 2) + cost
        busy += cost
        end = max(end, reader)
        heapq.heappush(asking, (reader, slot, wanted, reader - now))
    return end, busy / end


def looks(sets):
    """The numbers of sets between the interim analyses of a sequential test: 100 sets first, then ten more, later 2% more."""
    last = 0
    while last < sets:
        following = min(sets, 100 if last < 100 else last + max(10, last // 50))
        yield following - last
        last = following


def simulate_test(processors, sets, set_s, cost):
    """The seconds of a sequential test that ends after this many sets. Each stage starts when the previous one is counted."""
    seconds = 0.0
    for size in looks(sets):
        batches = min(size, 4 * min(1024, 2 * processors))
        seconds += DELAY + -(-batches // processors) * -(-size // batches) * set_s + batches * cost
    return seconds


def report(agents, measured, task_s):
    lines = [
        f"Measured with `{agents}`, 2 seats, classic: one worker plays {measured['sets_per_s']:,.0f} sets per second of processor time; an answer "
        f"has {measured['answer_bytes'] / 1000:,.0f} kB and costs the run {1000 * measured['answer_s']:.1f} ms, Ray's driver "
        f"{1000 * task_s:.1f} ms.",
        "",
        "| machines | processors | sets | seconds | speed-up | of the ideal | reading answers |",
        "|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for minutes, title in ((600, "ten hours of one processor"), (6_000, "a hundred hours of one processor")):
        sets = int(measured["sets_per_s"] * 60 * minutes)
        lines.append(f"| | | *{title}* | | | | |")
        for machines in MACHINES:
            processors = machines * PROCESSORS
            seconds, busy = simulate(processors, sets, measured, task_s)
            speed_up = 60 * minutes / seconds
            lines.append(
                f"| {machines} | {processors:,} | {sets:,} | {seconds:,.0f} | {speed_up:,.0f} | {speed_up / processors:.0%} | {busy:.0%} |"
            )
    lines += [
        "",
        "A sequential test waits at each look. One that ends after 20,000 sets:",
        "",
        "| machines | processors | a set takes 1 ms: seconds | speed-up | a set takes 1 s: seconds | speed-up |",
        "|--:|--:|--:|--:|--:|--:|",
    ]
    for machines in MACHINES:
        processors, cells = machines * PROCESSORS, []
        for set_s in (0.001, 1.0):
            seconds = simulate_test(processors, 20_000, set_s, measured["answer_s"] + task_s)
            cells += [f"{seconds:,.0f}", f"{20_000 * set_s / seconds:,.1f}"]
        lines.append(f"| {machines} | {processors:,} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--agents", default="heuristic,mixbot")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long a worker is measured")
    parser.add_argument("--out", type=pathlib.Path, help="write the text to this file as well")
    args = parser.parse_args()
    measured = measure(args.agents, args.seconds)
    text = report(args.agents, measured, measure_ray(measured["answer_bytes"]))
    print(text, end="")
    if args.out:
        args.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

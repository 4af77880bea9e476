"""A bot that plays the first legal action, and misbehaves in one of many ways: `hostile.py KIND DIR`.

A spy ends with the word "seen" if it obtained forbidden information, and continues to play if access was denied.
"""
import ctypes
import fcntl
import glob
import json
import os
import resource
import signal
import sys
import time

KIND, DIR = sys.argv[1], sys.argv[2]
FOREVER = int(os.environ.get("PYTHONNAP", "100000"))  # a number that identifies the test


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def answer(message, action=0, **more):
    say(json.dumps({"decision": message["decision"], "action": action, **more}))


def raw(data):
    os.write(1, data)


LIBC = ctypes.CDLL(None, use_errno=True)
VICTIM = f"{DIR}/victim.py"  # a file of an opponent


def call(function, *arguments):
    """Calls a function of the C library; a failure is an OSError."""
    result = getattr(LIBC, function)(*arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), function)
    return result


def parent():
    """The process of unolab that started this one. A process outside the namespace has the id 0."""
    if os.getppid() == 0:
        raise ProcessLookupError
    return os.getppid()


def victims(attack, targets):
    """The targets for which the attack succeeds. Files and processes can disappear before their turn."""

    def succeeds(target):
        try:
            attack(target)
            return True
        except OSError:
            return False

    return [target for target in targets if succeeds(target)]


def others():
    """Other processes that play in the same directory."""
    commands = {}

    def read_command(process):
        with open(f"/proc/{process}/cmdline", "rb") as file:
            commands[process] = file.read()

    processes = [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
    return [process for process in victims(read_command, processes) if DIR.encode() in commands[process]]


def limit(process):
    """Sets a resource limit to its current value."""
    resource.prlimit(process, resource.RLIMIT_CORE, resource.prlimit(process, resource.RLIMIT_CORE))


def keep_mode(path):
    """Sets the mode of a file to its current value."""
    os.chmod(path, os.stat(path).st_mode & 0o777)


def mark(path):
    os.setxattr(path, "user.unolab", b"1")
    os.removexattr(path, "user.unolab")


def date(path):
    os.utime(path, ns=(os.stat(path).st_atime_ns, os.stat(path).st_mtime_ns))


def make_and_remove(make, control, command, *arguments):
    """Creates and removes a System V IPC object with a private key."""
    number = call(make, 0, *arguments)
    call(control, number, *command)


def watch(path):
    call("inotify_add_watch", call("inotify_init1", 0), path.encode(), 0x2)  # IN_MODIFY


def io_priority():
    number = {"x86_64": (251, 252), "aarch64": (30, 31), "riscv64": (30, 31)}[os.uname().machine]
    present = call("syscall", number[1], 1, parent())
    call("syscall", number[0], 1, parent(), present)


def cached(path):
    """Whether the file is in the page cache, because a process has read it."""
    with open(path, "rb") as file:
        file.read()
        return os.preadv(file.fileno(), [bytearray(8)], 0, os.RWF_NOWAIT)


def parents_file(name):
    with open(f"/proc/{parent()}/{name}", "rb") as file:
        return file.read(100)


def parents_memory():
    with open(f"/proc/{parent()}/maps") as maps:
        begin = int(maps.readline().split("-")[0], 16)
    with open(f"/proc/{parent()}/mem", "rb") as memory:
        memory.seek(begin)
        return memory.read(16)


def trace_parent():
    call("ptrace", 0x4206, parent(), 0, 0)  # PTRACE_SEIZE, which does not stop the process


def connect(family, kind, address):
    """A socket is enough: the other end does not matter."""
    import socket

    with socket.socket(getattr(socket, family), getattr(socket, kind)) as probe:
        probe.setblocking(False)
        probe.connect_ex(address)


def busy():
    if os.fork() == 0:
        while True:
            pass


def away(environment):
    """Starts a process that leaves the process group, and whose parents end."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve("/bin/sh", ["sh", "-c", f"exec sleep {FOREVER}"], environment)
        os._exit(0)
    os.wait()


# Each entry reads or changes something outside the sandbox, which must deny it.
SPIES = {
    "reads-cmdline": lambda: parents_file("cmdline"),
    "reads-environ": lambda: parents_file("environ"),
    "reads-memory": parents_memory,
    "traces": trace_parent,
    "signals": lambda: os.kill(parent(), 0),
    "reads-run": lambda: victims(lambda path: open(path, "rb").read(1), glob.glob(f"{DIR}/run*/*")),
    "reads-seal": lambda: open(f"{DIR}/seal", "rb").read(),
    "writes-run": lambda: victims(lambda path: open(path, "ab").close(), glob.glob(f"{DIR}/run*/*.csv")),
    "writes-notes": lambda: open(f"{DIR}/notes-for-next-time", "w").close(),
    "connects": lambda: connect("AF_INET", "SOCK_STREAM", ("127.0.0.1", 9)),
    "sends": lambda: connect("AF_INET", "SOCK_DGRAM", ("127.0.0.1", 9)),
    "changes-mode-of-opponent": lambda: keep_mode(VICTIM),
    "changes-mode-of-run": lambda: victims(keep_mode, glob.glob(f"{DIR}/run*")),
    "changes-own-mode": lambda: keep_mode(__file__),
    "changes-own-owner": lambda: os.chown(__file__, -1, -1),
    "limits-parent": lambda: limit(parent()),
    "limits-opponents": lambda: victims(limit, others()),
    "limits-itself": lambda: limit(0),
    "makes-huge-file": lambda: os.ftruncate(os.memfd_create("huge"), 1 << 33),
    "sets-priority": lambda: os.setpriority(os.PRIO_PROCESS, parent(), os.getpriority(os.PRIO_PROCESS, parent())),
    "sets-own-priority": lambda: os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0)),
    "sets-affinity": lambda: os.sched_setaffinity(parent(), os.sched_getaffinity(parent())),
    "sets-io-priority": io_priority,
    "shares-memory": lambda: make_and_remove("shmget", "shmctl", (0, None), 4096, 0o1600),
    "sends-messages": lambda: make_and_remove("msgget", "msgctl", (0, None), 0o1600),
    "counts-semaphores": lambda: make_and_remove("semget", "semctl", (0, 0), 1, 0o1600),
    "marks-own-file": lambda: mark(__file__),
    "dates-own-file": lambda: date(__file__),
    "dates-opponent": lambda: date(VICTIM),
    "locks-null": lambda: fcntl.lockf(open("/dev/null", "r+"), fcntl.LOCK_EX | fcntl.LOCK_NB),
    "locks-own-file": lambda: fcntl.flock(open(__file__), fcntl.LOCK_SH | fcntl.LOCK_NB),
    "leases-own-file": lambda: fcntl.fcntl(open(__file__), fcntl.F_SETLEASE, fcntl.F_RDLCK),
    "watches-run": lambda: watch(DIR),
    "watches-own-file": lambda: watch(__file__),
    "sees-files-of-run": lambda: victims(os.stat, (VICTIM, "run-open", "run-closed")),
    "sees-opponents": others,
    "sees-cache": lambda: cached(__file__),
    "whispers": lambda: connect("AF_UNIX", "SOCK_DGRAM", "\0unolab-hostile"),
}


def sees_something(kind):
    """Whether the attack succeeds, on at least one of its targets; a missing file counts as a failure."""
    try:
        return SPIES[kind]() != []
    except OSError:
        return False


def misbehave(message):
    """Misbehaves instead of answering."""
    if KIND == "crashes":
        sys.exit("no such card")
    elif KIND == "raises":
        raise ValueError("no such card")
    elif KIND == "segfaults":
        ctypes.string_at(0)
    elif KIND == "kills-its-group":
        os.killpg(0, signal.SIGKILL)
    elif KIND == "hangs":
        time.sleep(FOREVER)
    elif KIND == "spins":
        while True:
            pass
    elif KIND == "stops-itself":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif KIND == "floods-lines":
        while True:
            say("to be or not to be")
    elif KIND == "floods-bytes":
        while True:
            raw(b"x" * 4096)
    elif KIND == "floods-errors":
        while True:
            os.write(2, b"let me see\n" * 100)
    elif KIND == "has-no-newline":
        raw(b'{"decision":%d,"action":0}' % message["decision"])
        time.sleep(FOREVER)
    elif KIND == "is-no-text":
        raw(b"\xff\xfe\x80\n")
    elif KIND == "says-nul":
        raw(b'{"decision":%d,"action":0\0}\n' % message["decision"])
    elif KIND == "is-deep":
        say("[" * 60_000)
    elif KIND == "says-a-list":
        say(f"[{message['decision']}, 0]")
    elif KIND == "is-empty":
        say("")
    elif KIND == "is-stale":
        answer({"decision": message["decision"] - 1})
    elif KIND == "is-out-of-range":
        answer(message, action=len(message["actions"]))
    elif KIND == "is-negative":
        answer(message, action=-1)
    elif KIND == "is-huge":
        say('{"decision":%d,"action":99999999999999999999}' % message["decision"])
    elif KIND == "fails-and-leaves-a-child":  # the child keeps the output open
        if os.fork() == 0:
            time.sleep(FOREVER)
        os._exit(5)
    elif KIND == "closes-output":
        os.close(1)
        time.sleep(FOREVER)
    elif KIND == "closes-input":
        os.close(0)
        answer(message)
        time.sleep(FOREVER)
    else:
        return False
    return True


def act(message, first):
    """Misbehaves in addition to answering."""
    if KIND == "answers-twice":
        answer(message)
    elif KIND == "notes-much":
        answer(message, note="\u202e\x07" * 2_000)
        return
    elif KIND == "ends-lines-as-dos-does":
        raw(b'{"decision":%d,"action":0}\r\n' % message["decision"])
        return
    elif KIND == "answers-slowly-in-pieces":
        for byte in b'{"decision":%d,"action":0}' % message["decision"]:
            raw(bytes([byte]))
        raw(b"\n")
        return
    elif first and KIND == "has-busy-children":
        for _ in range(12):
            busy()
    elif first and KIND == "leaves-orphans":
        away(os.environ)
    elif first and KIND == "leaves-strangers":
        away({})
    elif first and KIND == "ignores-signals":
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGCONT, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
    elif first and KIND in SPIES and sees_something(KIND):
        sys.exit("seen")
    answer(message)


first = True
if KIND == "answers-early":
    say('{"protocol":1}')
    say('{"decision":1,"action":0}')
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello" and KIND != "answers-early":
        say('{"protocol":1}')
    elif message["type"] == "decide":
        if not misbehave(message):
            act(message, first)
        first = False
    elif message["type"] == "game_over" and KIND == "crashes-after-the-game":
        sys.exit(3)

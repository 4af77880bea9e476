"""A program that plays the first legal action, and does one of many wrong things: `hostile.py KIND FOLDER`.

What is to spy ends with the word "seen" when it has seen something, and plays on when it was refused.
"""
import glob
import json
import os
import signal
import sys
import time

KIND, FOLDER = sys.argv[1], sys.argv[2]
FOREVER = int(os.environ.get("PYTHONNAP", "100000"))  # a number of the test's own


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def answer(message, action=0, **more):
    say(json.dumps({"decision": message["decision"], "action": action, **more}))


def raw(data):
    os.write(1, data)


def parents_file(name):
    with open(f"/proc/{os.getppid()}/{name}", "rb") as file:
        return file.read(100)


def parents_memory():
    parent = os.getppid()
    with open(f"/proc/{parent}/maps") as maps:
        begin = int(maps.readline().split("-")[0], 16)
    with open(f"/proc/{parent}/mem", "rb") as memory:
        memory.seek(begin)
        return memory.read(16)


def trace_parent():
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(0x4206, os.getppid(), 0, 0) != 0:  # PTRACE_SEIZE, which stops nobody
        raise OSError(ctypes.get_errno(), "ptrace")


def connect(family, kind, address):
    """A socket is enough: whether there is somebody at the other end is not the point."""
    import socket

    with socket.socket(getattr(socket, family), getattr(socket, kind)) as probe:
        probe.setblocking(False)
        probe.connect_ex(address)


def busy():
    if os.fork() == 0:
        while True:
            pass


def away(environment):
    """Someone who has left the group, and whose parents have gone."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve("/bin/sh", ["sh", "-c", f"exec sleep {FOREVER}"], environment)
        os._exit(0)
    os.wait()


# Each reads or changes what is not its own; under a sandbox it is refused.
SPIES = {
    "reads-cmdline": lambda: parents_file("cmdline"),
    "reads-environ": lambda: parents_file("environ"),
    "reads-memory": parents_memory,
    "traces": trace_parent,
    "signals": lambda: os.kill(os.getppid(), 0),
    "reads-run": lambda: [open(path, "rb").read(1) for path in glob.glob(f"{FOLDER}/run*/*")],
    "reads-seal": lambda: open(f"{FOLDER}/seal", "rb").read(),
    "writes-run": lambda: [open(path, "ab").close() for path in glob.glob(f"{FOLDER}/run*/*.csv")],
    "writes-notes": lambda: open(f"{FOLDER}/notes-for-next-time", "w").close(),
    "connects": lambda: connect("AF_INET", "SOCK_STREAM", ("127.0.0.1", 9)),
    "sends": lambda: connect("AF_INET", "SOCK_DGRAM", ("127.0.0.1", 9)),
    "whispers": lambda: connect("AF_UNIX", "SOCK_DGRAM", "\0unolab-hostile"),
}


def sees_something(kind):
    """Whether it gets through; who finds no file there has not."""
    try:
        return SPIES[kind]() != []
    except OSError:
        return False


def misbehave(message):
    """What is done instead of an answer."""
    if KIND == "crashes":
        sys.exit("no such card")
    elif KIND == "raises":
        raise ValueError("no such card")
    elif KIND == "segfaults":
        os.kill(os.getpid(), signal.SIGSEGV)
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
    elif KIND == "fails-and-leaves-a-child":  # which holds its output open
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
    """What is done besides an answer."""
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

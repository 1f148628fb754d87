"""What the scenario in the virtual machine is told with: checks, waiting, the straps, strapd's tools and its store."""
import json
import os
import socket
import sqlite3
import subprocess
import time
from dataclasses import dataclass

OUT = '/host/out'
STRAP_A, STRAP_B, STRAP_C = 'F0:F1:F2:F3:F4:F5', 'F0:F1:F2:F3:F4:F6', 'F0:F1:F2:F3:F4:F7'
STRAP_D = '45:F1:F2:F3:F4:F8'
STORE = '/var/lib/strapd/strapd.db'
# Emulation on a busy machine is slow by a factor that nobody knows: a wait ends with its condition, and this is only
# how long a hopeless one lasts.
DEADLINE = 150
passed = failed = 0


class GaveUp(Exception):
    """A condition that everything after it needs did not come true; the failure is already reported."""


def check(name, condition, detail=''):
    global passed, failed
    if condition:
        passed += 1
        print(f'ok {name}', flush=True)
    else:
        failed += 1
        print(f'FAIL {name}' + (f': {detail}' if detail != '' else ''), flush=True)
    return bool(condition)


def require(name, condition, detail=''):
    if not check(name, condition, detail):
        raise GaveUp(name)


def wait(name, condition, detail=lambda: '', deadline=DEADLINE):
    """Reports ok as soon as condition() is true and returns what it was; gives up at the deadline."""
    end = time.monotonic() + deadline
    while True:
        result = condition()
        if result or time.monotonic() > end:
            break
        time.sleep(0.1)
    require(name, result, f'not within {deadline} s {detail()}')
    return result


def run(*command, deadline=DEADLINE):
    """The finished process, with its output as text; a command that hangs is a failure like any other (124)."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=deadline, check=False)
    except subprocess.TimeoutExpired as hung:
        return subprocess.CompletedProcess(command, 124, (hung.stdout or b'').decode(), 'hung')


def must(name, *command):
    done = run(*command)
    require(name, done.returncode == 0, f'{" ".join(command)}: {done.returncode} {done.stdout}{done.stderr}')
    return done.stdout


def systemd(unit, what):
    return run('systemctl', 'show', '--value', '--property', what, unit).stdout.strip()


class Straps:
    """The straps' log and their command FIFO."""

    def log(self):
        with open(OUT + '/straps.log', errors='replace') as file:
            return [line.split('] ', 1)[-1].rstrip() for line in file]

    def count(self, beginning):
        return sum(1 for line in self.log() if line.startswith(beginning))

    def ready(self):
        return 'READY' in self.log()

    def sent(self):
        return self.count('A SENT')

    def payloads(self, strap):
        """What it has sent."""
        beginning = f'{strap} SENT '
        return {bytes.fromhex(line[len(beginning):]) for line in self.log() if line.startswith(beginning)}

    def tell(self, command):
        strap, words = command.split(' ', 1)
        before = self.count(f'{strap} DONE {words}')
        with open('/run/straps', 'w') as fifo:
            fifo.write(command + '\n')
        end = time.monotonic() + DEADLINE
        while self.count(f'{strap} DONE {words}') == before:
            if time.monotonic() > end:
                require(f'the strap does "{command}"', False, self.log()[-3:])
            time.sleep(0.05)


class Strapctl:
    """strapctl --json: each command's objects."""

    def call(self, *arguments):
        done = run('strapctl', *arguments, '--json')
        objects = [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
        return done, objects

    def do(self, name, *arguments):
        """Runs a command that is to succeed and returns its only object."""
        done, objects = self.call(*arguments)
        require(name, done.returncode == 0 and len(objects) == 1,
                f'{arguments}: exit status {done.returncode} {done.stdout}{done.stderr}')
        return objects[0]

    def status(self):
        done, objects = self.call('status')
        return objects[0] if done.returncode == 0 and objects else {}

    def strap(self, address=STRAP_A):
        straps = [s for s in self.status().get('straps', []) if s.get('address', '').upper() == address]
        return straps[0] if straps else {}

    def streaming(self, address=STRAP_A):
        """True while status shows the strap's link with a live heart rate."""
        strap = self.strap(address)
        return strap.get('link') == 'streaming' and (strap.get('heartRate') or 0) > 0

    def session(self, identifier):
        found = [s for s in self.status().get('sessions', []) if s.get('id') == identifier]
        return found[0] if found else {}


class Watcher:
    """strapctl watch --json in the background: what a subscriber sees. It ends when the daemon dies."""

    def __init__(self, path):
        self.path = path
        with open(path, 'w') as out, open(path + '.err', 'w') as errors:
            self.process = subprocess.Popen(['strapctl', 'watch', '--json'], stdout=out, stderr=errors)

    def of(self, kind):
        return [event for event in events(self.path) if event.get('kind') == kind]

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(DEADLINE)


def events(path):
    """The whole lines of a watcher's file; the last line may be half written."""
    with open(path) as file:
        return [json.loads(line) for line in file.read().split('\n')[:-1] if line.strip()]


class Call:
    """A varlink call with several replies, on a connection of its own, which end() ends."""

    def __init__(self, method, **parameters):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect('/run/strapd/control.sock')
        call = {'method': 'io.strapd.' + method, 'parameters': parameters, 'more': True}
        self.socket.sendall(json.dumps(call).encode() + b'\0')
        self.socket.setblocking(False)
        self.received = b''

    def replies(self):
        """Those that have come so far: the parameters, and an error's name as "error"."""
        try:
            while data := self.socket.recv(65536):
                self.received += data
        except BlockingIOError:
            pass
        messages = [json.loads(message) for message in self.received.split(b'\0')[:-1]]
        return [message.get('parameters', {}) | ({'error': message['error']} if 'error' in message else {})
                for message in messages]

    def end(self):
        self.socket.close()


@dataclass(frozen=True)
class Row:
    sequence: int
    tick: int
    payload: bytes
    heart_rate: int
    is_repeat: bool


def stored(session=None):
    """Every stored sample, or those of a session, in their order."""
    # Read-only, for the daemon may have the file open; a store that is not there yet holds nothing.
    if not os.path.exists(STORE):
        return []
    database = sqlite3.connect(f'file:{STORE}?mode=ro', uri=True, timeout=30)
    try:
        rows = database.execute(
            'SELECT sequence, tick, payload, heart_rate, is_repeat FROM sample JOIN session ON number = session '
            'WHERE id = ? OR ? IS NULL ORDER BY sequence', (session, session))
        return [Row(sequence, tick, bytes(payload), rate, bool(repeat))
                for sequence, tick, payload, rate, repeat in rows]
    finally:
        database.close()

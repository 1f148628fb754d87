"""What is told of one workout that goes on through many outages of its strap's link: that it goes on after each, what a
person is told meanwhile, and that nothing is missing in the end but what the outages explain."""
import contextlib
import time
from collections import Counter

import capture
import guest
from comparison import Allowance, compare, outage
from guest import GaveUp, check, must, require, run, systemd, wait
from machine import SNOOP, beats, straps, strapctl

CONFIGURATION = '/etc/strapd/strapd.conf'


class Workout:
    """The one workout, and the stretches of time in which payloads may have been lost with the link."""

    def __init__(self, tag, address):
        self.tag, self.address = tag, address
        self.identifier, self.outages = None, []

    def prepare(self):
        self.identifier = strapctl.do('prepare', 'prepare', '--activity', 'running', '--strap', self.address).get('id')

    def start(self):
        require('start leads to running', strapctl.do('start is accepted', 'start').get('state') == 'running')

    @contextlib.contextmanager
    def outage(self, name):
        began = time.time()
        try:
            yield
            self.streams(name)
        finally:
            self.outages.append((name, began, time.time()))

    def streams(self, name):
        wait(f'{name}: heart rate streams again', lambda: strapctl.streaming(self.address), self.strap)
        beats(f'{name}: beats are stored again', 3)
        self.runs(name)

    def runs(self, name):
        state = strapctl.session(self.identifier).get('state')
        check(f'{name}: the workout is running', state == 'running', state)

    def strap(self):
        return strapctl.strap(self.address)

    def count(self, what):
        """How often the strap has logged it."""
        return straps.count(f'{self.tag} {what}')

    def last(self, what):
        beginning = f'{self.tag} {what}'
        return next((line for line in reversed(straps.log()) if line.startswith(beginning)), '')

    def is_released(self):
        return self.count('CONNECTED') == self.count('DISCONNECTED')

    def restart_daemon(self, before_start=lambda: None):
        must('strapd stops in mid-workout', 'systemctl', 'stop', 'strapd.service')
        wait('strapd stopped: the link is released', self.is_released, lambda: straps.log()[-5:])
        check('strapd stopped: the link was ended by this host',
              self.last('DISCONNECTED') == f'{self.tag} DISCONNECTED 0x13', straps.log()[-5:])
        before_start()
        must('strapd starts again', 'systemctl', 'start', 'strapd.service')

    def is_whole(self, after, other=None):
        """Compares what is stored with the capture; after: what came later than this need not be stored; other: from when
        on another client has had bluetoothd signal everything twice. Returns the capture and the rows."""
        with open(SNOOP, 'rb') as file:
            air = capture.read(file.read(), self.address)
        rows = guest.stored(self.identifier)
        print(f'   {len(rows)} stored, {sum(row.is_repeat for row in rows)} of them repeats, '
              f'{len(air.notifications)} received by the host')
        check('the capture lost nothing', air.dropped == 0, air.dropped)
        check('ticks do not go back', all(a.tick <= b.tick for a, b in zip(rows, rows[1:])))
        allowances = [Allowance('after the end', after, time.time())]
        for name, began, ended in self.outages:
            allowances += outage(name, began, ended, air.subscribed, [ending for ending, _ in air.disconnected])
        # Equal ones behind each other are a strap's doing; how many of them are stored is another question. Those that
        # come more than 100 ms apart, as they may on a slow machine, are not marked as repeats.
        several = {payload for payload, times in Counter(n.payload for n in air.notifications).items() if times > 1}
        received = once(air.notifications, several)
        stored = once([row for row in rows if not row.is_repeat], several)
        if other:
            # On a slow machine the second signal may come later than a repeat's 100 ms.
            began = (other - (time.time() - time.clock_gettime(time.CLOCK_BOOTTIME))) * 1e9
            late = [b for a, b in zip(stored, stored[1:])
                    if b.payload == a.payload and b.tick > began and b.tick - a.tick > 100e6]
            print(f'   {len(late)} signalled twice, more than 100 ms apart')
            stored = [row for row in stored if row not in late]
        verdict = compare(received, [row.payload for row in stored], allowances, straps.payloads(self.tag))
        print(f'   {verdict.uncaptured} sent, stored and not captured')
        for name, count in verdict.excused.items():
            print(f'   {name}: {count} received and not stored')
        check('stored payloads equal the received ones', not verdict.faults, '; '.join(verdict.faults))
        return air, rows


def play_steps(workout, steps):
    """One after the other. A step that is given up need not be the last: the next one may work all the same, and tell
    more; after two in a row there is little hope."""
    failures = 0
    for step in steps:
        began = time.monotonic()
        try:
            step(workout)
            failures = 0
        except GaveUp as given_up:
            failures += 1
            if failures == 2:
                raise
            print(f'   given up at: {given_up}')
            straps.tell(f'{workout.tag} beat')
            straps.tell(f'{workout.tag} adv')
        print(f'   {step.__name__}: {time.monotonic() - began:.0f} s', flush=True)


def once(those, several):
    """Of equal payloads behind each other the first, where the strap has sent them several times."""
    return [b for a, b in zip([None, *those], those)
            if a is None or a.payload != b.payload or b.payload not in several]


def text():
    """What a person sees."""
    return run('strapctl', 'status').stdout


def says(name, *words):
    wait(f'{name}: status says "{" … ".join(words)}"', lambda: all(word in text() for word in words), text)


def object_path(address, *suffix):
    """The path that bluetoothd has for a strap, or that of the Heart Rate Measurement below it, whose name begins so."""
    device = 'dev_' + address.replace(':', '_')
    lines = run('busctl', '--list', '--no-pager', 'tree', 'org.bluez').stdout.split()
    paths = [line for line in lines if device in line]
    if not suffix:
        return min(paths, default='')
    for path in paths:
        if suffix[0] in path.rsplit('/', 1)[-1]:
            uuid = run('busctl', 'get-property', 'org.bluez', path, 'org.bluez.GattCharacteristic1', 'UUID').stdout
            if '00002a37-' in uuid:
                return path
    return ''


def bluez(name, path, member, *arguments):
    """Another client's call of bluetoothd; the member with its interface's last part, as "Device1.Connect"."""
    interface, method = member.split('.')
    must(name, 'busctl', '--timeout=60', 'call', 'org.bluez', path, 'org.bluez.' + interface, method, *arguments)


def remove_device(name, address):
    """Another client removes the strap's object, and with it the host's side of a bond."""
    adapter = strapctl.status()['adapters'][0]['name']
    bluez(name, f'/org/bluez/{adapter}', 'Adapter1.RemoveDevice', 'o', object_path(address))


def configure(line):
    with open(CONFIGURATION, 'a') as file:
        file.write(line + '\n')


def journal():
    lines = run('journalctl', '-b', '--no-pager', '-o', 'cat', '-u', 'strapd.service', '_COMM=strapd').stdout
    lines = lines.splitlines()
    # Two calls of one client are two lines.
    twice = [a for a, b in zip(lines, lines[1:]) if a == b and ' is called by ' not in a]
    check('the journal says nothing twice in a row', not twice, twice)
    errors = run('journalctl', '-b', '--no-pager', '-o', 'cat', '-p', 'err', '-u', 'strapd.service').stdout.strip()
    check('no errors in the journal', errors in ('', '-- No entries --'), errors)
    check('systemd restarted strapd never', systemd('strapd.service', 'NRestarts') == '0')

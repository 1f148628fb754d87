"""What all scenarios begin and end with: strapd installed as a package would, straps on the air, btmon; and the logs
kept for whoever has to find out what went wrong."""
import os
import shutil
import subprocess
import sys
import time
import traceback

import guest
from guest import OUT, STRAP_A, GaveUp, Strapctl, Straps, check, must, require, run, systemd, wait

INSTALL = '/host/install'
SNOOP, TRACE = OUT + '/hci.snoop', OUT + '/bus.txt'
straps, strapctl = Straps(), Strapctl()


def put(source, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copyfile(f'{INSTALL}/{source}', target)
    os.chmod(target, 0o755 if target.startswith('/usr/bin/') else 0o644)


def install():
    for name in ('strapd', 'strapctl'):
        put(name, '/usr/bin/' + name)
        libraries = run('ldd', '/usr/bin/' + name).stdout
        require(f'{name} finds its libraries', 'not found' not in libraries, libraries)
    put('systemd/strapd.service', '/usr/lib/systemd/system/strapd.service')
    put('systemd/strapd.socket', '/usr/lib/systemd/system/strapd.socket')
    put('systemd/strapd.sysusers', '/usr/lib/sysusers.d/strapd.conf')
    put('systemd/strapd.tmpfiles', '/usr/lib/tmpfiles.d/strapd.conf')
    put('config/strapd.conf', '/etc/strapd/strapd.conf')
    with open('/etc/strapd/strapd.conf', 'a') as file:
        # compact: the checks read the samples as rows.
        file.write(f'\nstrap = {STRAP_A}\npost_exercise = 0\ncompact = no\n')
    must('sysusers.d makes the user', 'systemd-sysusers', '/usr/lib/sysusers.d/strapd.conf')
    must('tmpfiles.d makes the folder', 'systemd-tmpfiles', '--create', '/usr/lib/tmpfiles.d/strapd.conf')
    must('systemd reads the units', 'systemctl', 'daemon-reload')
    verified = run('systemd-analyze', 'verify', '--man=no', 'strapd.service', 'strapd.socket')
    complaints = [line for line in (verified.stdout + verified.stderr).splitlines() if 'strapd' in line]
    check('systemd-analyze verify has no complaint', verified.returncode == 0 and not complaints,
          verified.stdout + verified.stderr)


def listen_to_the_air():
    wait('the straps are on the air', straps.ready)
    # Strapd switches the adapter on where it is off; here bluetoothd does it (AutoEnable, the default since 5.65).
    monitor = subprocess.Popen(['btmon', '-w', SNOOP], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait('btmon captures', lambda: os.path.exists(SNOOP) and os.path.getsize(SNOOP) > 16)
    if os.path.exists(TRACE):
        with open(TRACE, 'w') as file:
            subprocess.Popen(['dbus-monitor', '--system', "sender='org.bluez'", "destination='org.bluez'",
                              "interface='org.bluez.Agent1'"], stdout=file, stderr=subprocess.DEVNULL)
    # Two notifications a second of one RR interval each: dense enough to show what gets lost, and true to its rate.
    straps.tell('A rr 512')
    straps.tell('A hz 2')
    return monitor


def daemon():
    return int(systemd('strapd.service', 'MainPID') or 0)


def beats(name, more=4):
    """Waits until so many more samples are in the store."""
    before = len(guest.stored())
    wait(name, lambda: len(guest.stored()) >= before + more, lambda: f'{len(guest.stored()) - before} stored')


def play(scenario):
    """Runs scenario(btmon's process, marks) and exits with 1 if a check of it failed. marks: names and wall times."""
    marks, monitor = {}, None
    began = time.monotonic()
    try:
        install()
        monitor = listen_to_the_air()
        scenario(monitor, marks)
    except GaveUp as step:
        print(f'   given up at: {step}')
    except Exception:  # a fault of the test or of an answer's shape is a failure with a trace, not silence
        check('the scenario runs to its end', False, traceback.format_exc())
    finally:
        if monitor:
            monitor.kill()
        print(f'   the scenario took {time.monotonic() - began:.0f} s', flush=True)
        with open(OUT + '/marks.txt', 'w') as file:
            file.writelines(f'{name} {moment:.6f}\n' for name, moment in marks.items())
        for unit in ('strapd', 'bluetooth'):
            with open(f'{OUT}/{unit}.log', 'w') as file:
                file.write(run('journalctl', '-b', '--no-pager', '-o', 'short-monotonic', '-u', unit).stdout)
        if os.path.isdir('/var/lib/strapd'):
            shutil.copytree('/var/lib/strapd', OUT + '/store', dirs_exist_ok=True)
    sys.exit(1 if guest.failed else 0)

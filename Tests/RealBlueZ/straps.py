#!/usr/bin/env python3
"""Heart-rate straps on an emulated radio, and the Linux kernel's controller on the same radio.

The kernel gets its controller through /dev/vhci; bumble plays it, the air and the straps:

  A  F0:F1:F2:F3:F4:F5  "Demo HR"    open
  B  F0:F1:F2:F3:F4:F6  "Demo Bond"  heart rate only over an encrypted link (a bond, which needs no person)
  C  F0:F1:F2:F3:F4:F7  "Demo None"  says that it has the Heart Rate Service, and has not
  D  45:F1:F2:F3:F4:F8  "Demo Veil"  open, and behind private addresses

A and B advertise from the start, C and D when they are told to.

One command a line into the FIFO that the first argument names:

  A loss            out of range: no advertising, both ends see a supervision timeout (0x08)
  A adv             back in range
  A drop            the strap hangs up (0x13) and advertises again
  A hz 4            notifications a second
  A rr 500,512      RR intervals of each notification, 1/1024 s ("none": without)
  A mute / A beat   stop and go on sending
  A raw 1648        one notification of these bytes
  A burst 5         so many notifications of the next beat at once
  A deaf / A hears  goes on, or not, receiving what it is sent over its link
  D address 4A:…    hides behind another address, which is known from the next advertising on
  B forget          loses its bonds, and its hosts do not know
  B passkey on|off  pairs only with hosts that enter the number which it shows ("B PASSKEY 123456")
  adapter remove    the kernel's controller is pulled out
  adapter add       it is put back, under another name (hciN)

Each beat raises the heart rate by one (60 to 179, then again) and the energy field by one, so that no two payloads of
a run are equal and order can be told from the bytes alone; a reset of the energy keeps it so. Standard output is the
log: the guest's CLOCK_MONOTONIC, the strap, what happened; "A SENT 1e3d…" is a notification on its way to Linux's
controller.
"""
import asyncio
import os
import secrets
import sys
import time

sys.path.insert(0, '/opt/pylib')
from bumble import gatt, hci
from bumble.controller import Controller
from bumble.core import AdvertisingData
from bumble.device import Device, DeviceConfiguration
from bumble.gatt import Characteristic
from bumble.host import Host
from bumble.link import LocalLink
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.profiles.battery_service import BatteryService
from bumble.profiles.device_information_service import DeviceInformationService
from bumble.profiles.heart_rate_service import HeartRateService
from bumble.smp import ErrorCode, IoCapability, Session
from bumble.transport import open_transport


def say(*words):
    print(f'[{time.monotonic():8.3f}]', *words, flush=True)


class Air(LocalLink):
    """bumble 0.0.236 stamps data with the sender's random address, but Linux connects with its public one: without
    this the straps never see a byte from Linux."""

    def send_acl_data(self, sender, destination, transport, data):
        connection = sender.le_connections.get(destination)
        receiver = self.find_le_controller(destination)
        if connection and receiver:
            asyncio.get_running_loop().call_soon(
                self.deliver, sender, receiver, connection.self_address, transport, data)

    def deliver(self, sender, receiver, address, transport, data):
        if receiver.strap and receiver.strap.is_deaf:
            return
        # L2CAP channel 4 is ATT, opcode 0x1b is Handle Value Notification, then two bytes of handle.
        if data[2:5] == b'\4\0\x1b' and sender.strap and address in receiver.le_connections:
            if int.from_bytes(data[5:7], 'little') == sender.strap.measurement.handle:
                sender.strap.say('SENT', data[7:].hex())
        receiver.on_link_acl_data(address, transport, data)


class LinuxController(Controller):
    # With these feature bits the kernel waits 20 s for an Enhanced Connection Complete that bumble never sends, and
    # every later command queues behind that wait. Without them it asks for the plain event.
    le_features = Controller.le_features & ~(
        hci.LeFeatureMask.LL_PRIVACY
        | hci.LeFeatureMask.LE_EXTENDED_ADVERTISING
        | hci.LeFeatureMask.LE_PERIODIC_ADVERTISING)
    strap = None

    def on_hci_reset_command(self, command):
        """bumble keeps its links. After rfkill Linux 6.1 has let go of them without a word, and a strap that thinks
        itself connected does not advertise."""
        self.cut()
        self.le_connections.clear()
        self.pending_le_connection = None
        return super().on_hci_reset_command(command)

    def cut(self):
        """The straps hear no more of this host, and notice by the supervision timeout."""
        for other in self.link.controllers:
            if other is not self:
                for connection in list(other.le_connections.values()):
                    other.on_le_disconnected(connection, hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)

    def on_hci_le_create_connection_cancel_command(self, command):
        """bumble answers this command without cancelling: a cancelled Connect() would come true minutes later."""
        pending, self.pending_le_connection = self.pending_le_connection, None
        if pending is None:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        asyncio.get_running_loop().call_soon(
            self.send_hci_packet,
            hci.HCI_LE_Connection_Complete_Event(
                status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, connection_handle=0,
                role=hci.Role.CENTRAL, peer_address_type=pending.peer_address.address_type,
                peer_address=pending.peer_address, connection_interval=0, peripheral_latency=0,
                supervision_timeout=0, central_clock_accuracy=0))
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)


class KernelSink:
    """The kernel refuses what arrives while it switches the controller off (rfkill); bumble's own sink would take
    that for the end of the device and close it."""

    def __init__(self, pipe):
        self.pipe = pipe

    def on_packet(self, packet):
        try:
            os.write(self.pipe.fileno(), packet)
        except OSError as refusal:
            say('adapter REFUSED', refusal, packet.hex())


class Linux:
    """The kernel's end: a controller that can be pulled out and put back."""

    def __init__(self, air):
        self.air, self.controller, self.transport, self.placeholders = air, None, None, []

    async def plug(self):
        self.transport = await open_transport('vhci:/dev/vhci')
        self.controller = LinuxController(
            'LINUX', host_source=self.transport.source,
            host_sink=KernelSink(self.transport.sink.transport.get_extra_info('pipe')), link=self.air,
            public_address='00:AA:01:00:00:42')

    async def unplug(self):
        self.air.remove_controller(self.controller)
        self.controller.cut()
        await self.transport.close()
        # The file is closed by the transports' callbacks, and the kernel's device ends with the file.
        await asyncio.sleep(0.1)
        # The lowest number that is free would be the old one. 0x80 is a raw device: the kernel and bluetoothd leave
        # it alone, and it takes the number for as long as it is open.
        self.placeholders.append(os.open('/dev/vhci', os.O_RDWR))
        os.write(self.placeholders[-1], b'\xff\x80')

    async def obey(self, what):
        if what == 'remove':
            await self.unplug()
        elif what == 'add':
            await self.plug()
        else:
            say('adapter UNKNOWN COMMAND', what)
        say('adapter DONE', what)


class Display(PairingDelegate):
    """What a strap has to show a number on."""

    def __init__(self, strap):
        super().__init__(PairingDelegate.DISPLAY_OUTPUT_ONLY)
        self.strap = strap

    async def generate_passkey(self):
        return 1 + secrets.randbelow(999999)  # bumble takes 0 for none

    async def display_number(self, number, digits):
        self.strap.say('PASSKEY', f'{number:0{digits}}')


class StrapSession(Session):
    """bumble has one session a link: a second pairing on it would go on from where the first one failed, without a bond
    if that was to make none (BlueZ 5.82 tries one by itself), and its end would not be told. And bumble agrees to a bond
    without a number although its side asks for one; a strap that insists does not."""

    async def on_smp_pairing_request_command_async(self, command):
        if self.completed:
            self.on_disconnection(0)
            self.manager.on_smp_pdu(self.connection, bytes(command))
        elif self.mitm and command.io_capability not in (IoCapability.KEYBOARD_ONLY, IoCapability.KEYBOARD_DISPLAY):
            self.send_pairing_failed(ErrorCode.AUTHENTICATION_REQUIREMENTS)
        else:
            await super().on_smp_pairing_request_command_async(command)


class Strap:
    def __init__(self, tag, air, linux, address, name, key_file=None, is_empty=False):
        self.tag, self.linux = tag, linux
        self.in_range, self.beating, self.beats, self.rate, self.rr = True, True, 0, 1, [896, 912]
        self.energy_zero, self.insists, self.is_deaf = 0, False, False
        self.connections, self.heart = [], None
        self.controller = Controller(tag, link=air)
        self.controller.strap = self
        host = Host()
        host.controller = self.controller
        configuration = DeviceConfiguration(
            name=name, address=hci.Address(address), advertising_interval_min=100, advertising_interval_max=100)
        if key_file:
            configuration.keystore = 'JsonKeyStore:' + key_file
        self.device = Device(config=configuration, host=host)
        service = HeartRateService(
            lambda connection: HeartRateService.HeartRateMeasurement(heart_rate=60),
            HeartRateService.BodySensorLocation.CHEST, lambda connection: self.reset_energy())
        self.measurement = service.heart_rate_measurement_characteristic
        if key_file:
            self.demand_bond(service)
        battery = BatteryService(lambda connection: 87)
        self.device.add_services(([] if is_empty else [service]) + [battery, DeviceInformationService(
            manufacturer_name='Demo Ltd', model_number='VM-1', serial_number='0001', hardware_revision='hw1',
            firmware_revision='fw1', software_revision='sw1')])
        self.device.advertising_data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, b'\x06'),
            (AdvertisingData.COMPLETE_LOCAL_NAME, name.encode()),
            (AdvertisingData.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, bytes(service.uuid) + bytes(battery.uuid)),
            (AdvertisingData.APPEARANCE, (0x0341).to_bytes(2, 'little'))]))
        self.device.on('connection', self.on_connection)
        self.measurement.on('subscription', lambda connection, notify, indicate: self.say('SUBSCRIPTION', notify))

    def demand_bond(self, service):
        for c in service.characteristics:
            if c.properties & Characteristic.Properties.READ:
                c.permissions |= Characteristic.READ_REQUIRES_ENCRYPTION
            if c.properties & Characteristic.Properties.WRITE:
                c.permissions |= Characteristic.WRITE_REQUIRES_ENCRYPTION
        self.measurement.descriptors = (gatt.Descriptor(
            gatt.GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR,
            Characteristic.READABLE | Characteristic.WRITEABLE | Characteristic.WRITE_REQUIRES_ENCRYPTION,
            self.device.gatt_server.make_descriptor_value(self.measurement)),)
        self.device.smp_session_proxy = StrapSession
        self.device.pairing_config_factory = lambda connection: PairingConfig(
            sc=True, mitm=self.insists, bonding=True,
            delegate=Display(self) if self.insists else PairingDelegate(PairingDelegate.NO_OUTPUT_NO_INPUT))

    def say(self, *words):
        say(self.tag, *words)

    def reset_energy(self):
        # Were the number of beats a multiple of 120, pairs of heart rate and energy would come again.
        self.energy_zero = self.beats - (self.beats % 120 == 0)
        self.say('CONTROL POINT reset')

    def on_connection(self, connection):
        self.say('CONNECTED', connection.peer_address)
        self.connections.append(connection)
        connection.on('disconnection', lambda reason: self.on_disconnection(connection, reason))
        connection.on('pairing', lambda keys: self.say('PAIRED'))
        connection.on('pairing_failure', lambda reason: self.say('NOT PAIRED', ErrorCode(reason).name))

    def on_disconnection(self, connection, reason):
        self.say('DISCONNECTED', hex(reason))
        self.connections.remove(connection)
        if self.in_range:
            asyncio.ensure_future(self.advertise())

    async def advertise(self):
        self.in_range = True
        if not self.connections and not self.device.is_advertising:
            await self.device.start_advertising()
            self.say('ADVERTISING')

    async def notify(self, value):
        await self.device.notify_subscribers(self.measurement, value)

    def next_measurement(self):
        self.beats += 1
        return HeartRateService.HeartRateMeasurement(
            60 + self.beats % 120, True, self.beats - self.energy_zero,
            self.rr and [ticks / 1024 for ticks in self.rr])

    async def beat(self):
        due = time.monotonic()
        while True:
            due = max(due + 1 / self.rate, time.monotonic())
            await asyncio.sleep(due - time.monotonic())
            if self.connections and self.beating:
                await self.notify(self.next_measurement())

    def restart(self):
        if self.heart:
            self.heart.cancel()
        self.heart = asyncio.create_task(self.beat())

    async def vanish(self):
        self.in_range = False
        if self.device.is_advertising:
            await self.device.stop_advertising()
        for mine in list(self.controller.le_connections.values()):
            for controller in (self.linux.controller, self.controller):
                for connection in list(controller.le_connections.values()):
                    if connection is mine or connection.peer_address == mine.self_address:
                        controller.on_le_disconnected(connection, hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)

    async def obey(self, what, *arguments):
        if what == 'loss':
            await self.vanish()
        elif what == 'adv':
            await self.advertise()
        elif what == 'drop':
            for connection in list(self.connections):
                await connection.disconnect()
        elif what == 'hz':
            self.rate = float(arguments[0])
            self.restart()
        elif what == 'rr':
            self.rr = None if arguments[0] == 'none' else [int(ticks) for ticks in arguments[0].split(',')]
        elif what in ('mute', 'beat'):
            self.beating = what == 'beat'
        elif what == 'raw':
            await self.notify(bytes.fromhex(arguments[0]))
        elif what == 'burst':
            measurement = self.next_measurement()
            for _ in range(int(arguments[0])):
                await self.notify(measurement)
        elif what in ('deaf', 'hears'):
            self.is_deaf = what == 'deaf'
        elif what == 'address':
            self.device.random_address = hci.Address(arguments[0])
            await self.device.send_sync_command(
                hci.HCI_LE_Set_Random_Address_Command(random_address=self.device.random_address))
        elif what == 'forget':
            await self.device.keystore.delete_all()
        elif what == 'passkey':
            self.insists = arguments[0] == 'on'
        else:
            self.say('UNKNOWN COMMAND', what)
        self.say('DONE', what, *arguments)


async def main(fifo):
    air = Air()
    linux = Linux(air)
    await linux.plug()
    straps = {'A': Strap('A', air, linux, 'F0:F1:F2:F3:F4:F5', 'Demo HR'),
              'B': Strap('B', air, linux, 'F0:F1:F2:F3:F4:F6', 'Demo Bond', key_file='/run/strap-keys.json'),
              'C': Strap('C', air, linux, 'F0:F1:F2:F3:F4:F7', 'Demo None', is_empty=True),
              'D': Strap('D', air, linux, '45:F1:F2:F3:F4:F8', 'Demo Veil')}
    for strap in straps.values():
        await strap.device.power_on()
        strap.in_range = strap.tag in ('A', 'B')
        if strap.in_range:
            await strap.advertise()
        strap.restart()
    os.mkfifo(fifo)
    # Opened for both directions, so that the end of one writer is not the end of the file.
    descriptor = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
    lines = asyncio.Queue()
    asyncio.get_running_loop().add_reader(
        descriptor, lambda: [lines.put_nowait(line) for line in os.read(descriptor, 4096).decode().splitlines()])
    say('READY')
    while True:
        words = (await lines.get()).split()
        if words:
            await {**straps, 'adapter': linux}[words[0]].obey(*words[1:])


asyncio.run(main(sys.argv[1]))

"""Reads what btmon -w wrote: which heart-rate notifications of one strap reached this host, and when.

The capture is made by the kernel's monitor socket, below bluetoothd and the bus: what is in it, the host received.
File format: doc/btsnoop.txt of BlueZ (datalink 2001). Packets: Core specification, HCI, L2CAP and ATT.
"""
import struct
from dataclasses import dataclass, field

MONITOR_DATALINK = 2001
# Microseconds from the year 0, where btsnoop counts from, to 1970.
EPOCH = 0x00E03AB44A676000 - 946684800 * 1_000_000
INDEX_GONE, EVENT, ACL_SENT, ACL_RECEIVED, INDEX_CLOSED = 1, 3, 4, 5, 9
DISCONNECTION_COMPLETE, LE_META = 0x05, 0x3E
LE_CONNECTION_COMPLETE, LE_ENHANCED_CONNECTION_COMPLETE = 0x01, 0x0A
ATT_CHANNEL = 4
READ_BY_TYPE_REQUEST, READ_BY_TYPE_RESPONSE = 0x08, 0x09
WRITE_REQUEST, WRITE_RESPONSE, NOTIFICATION = 0x12, 0x13, 0x1B
CHARACTERISTIC, HEART_RATE_MEASUREMENT = 0x2803, 0x2A37


@dataclass(frozen=True)
class Notification:
    """A value of the strap's Heart Rate Measurement; the time is wall time in seconds, as time.time() tells it."""
    time: float
    payload: bytes


@dataclass
class Capture:
    """What happened on the air between this host and one strap, in order."""
    notifications: list = field(default_factory=list)
    connected: list = field(default_factory=list)  # times
    disconnected: list = field(default_factory=list)  # (time, HCI reason), None where the adapter went with the link
    subscribed: list = field(default_factory=list)  # times at which the strap confirmed a subscription
    strangers: set = field(default_factory=set)  # addresses of other devices this host was connected to
    dropped: int = 0  # packets that the kernel's monitor says it lost
    value_handle: int = 0


class CaptureError(Exception):
    """The file is not a capture that can be judged."""


def records(data):
    """Yields (time, opcode, packet, lost so far) of a btsnoop file of the monitor's kind."""
    if len(data) < 16 or data[:8] != b'btsnoop\0':
        raise CaptureError('not a btsnoop file')
    datalink = struct.unpack_from('>I', data, 12)[0]
    if datalink != MONITOR_DATALINK:
        raise CaptureError(f'datalink {datalink}, not the monitor\'s {MONITOR_DATALINK}')
    at = 16
    while at + 24 <= len(data):
        _, length, flags, lost, stamp = struct.unpack_from('>IIIIq', data, at)
        packet = data[at + 24:at + 24 + length]
        if len(packet) < length:
            break  # btmon was stopped in the middle of a record
        # The upper half of the flags is the adapter's index; the guest has one adapter at a time.
        yield (stamp - EPOCH) / 1_000_000, flags & 0xFFFF, packet, lost
        at += 24 + length


class Reader:
    """Follows one strap through a capture: connection handles, attribute discovery, subscriptions, values."""

    def __init__(self, address):
        self.address = address.upper()
        self.capture = Capture()
        self.peers = {}  # connection handle: address
        self.partial = {}  # (connection handle, direction): L2CAP bytes so far
        self.asked = {}  # connection handle: attribute type of the read-by-type request under way
        self.writing = None  # (attribute handle, value) of the write request under way
        self.declarations = set()  # handles at which a characteristic begins

    def take(self, time, opcode, packet):
        if opcode == EVENT:
            self.event(time, packet)
        elif opcode in (ACL_SENT, ACL_RECEIVED):
            self.acl(time, opcode, packet)
        elif opcode in (INDEX_GONE, INDEX_CLOSED):
            # Pulled out or shut: its connections end without an event, and their handles are used again by later ones.
            if self.address in self.peers.values():
                self.capture.disconnected.append((time, None))
            self.peers, self.asked, self.partial, self.writing = {}, {}, {}, None

    def event(self, time, packet):
        code, parameters = packet[0], packet[2:]
        if code == LE_META and parameters[0] in (LE_CONNECTION_COMPLETE, LE_ENHANCED_CONNECTION_COMPLETE):
            status, handle, _, _ = struct.unpack_from('<BHBB', parameters, 1)
            if status != 0:
                return
            peer = ':'.join(f'{byte:02X}' for byte in reversed(parameters[6:12]))
            self.peers[handle] = peer
            if peer == self.address:
                self.capture.connected.append(time)
            else:
                self.capture.strangers.add(peer)
        elif code == DISCONNECTION_COMPLETE:
            status, handle, reason = struct.unpack_from('<BHB', parameters)
            if status == 0 and self.peers.pop(handle, None) == self.address:
                self.capture.disconnected.append((time, reason))
                self.asked.pop(handle, None)
                self.partial = {key: value for key, value in self.partial.items() if key[0] != handle}
                self.writing = None

    def acl(self, time, opcode, packet):
        word, _ = struct.unpack_from('<HH', packet)
        handle, boundary, data = word & 0x0FFF, word >> 12 & 3, packet[4:]
        if self.peers.get(handle) != self.address:
            return
        key = (handle, opcode)
        # 1 is a continuing fragment; anything else begins an L2CAP frame.
        frame = self.partial.pop(key, b'') + data if boundary == 1 else data
        if len(frame) < 4 or len(frame) < 4 + struct.unpack_from('<H', frame)[0]:
            self.partial[key] = frame
            return
        length, channel = struct.unpack_from('<HH', frame)
        if channel == ATT_CHANNEL and length > 0:
            self.att(time, opcode == ACL_RECEIVED, handle, frame[4:4 + length])

    def att(self, time, received, connection, pdu):
        code = pdu[0]
        if not received and code == READ_BY_TYPE_REQUEST:
            self.asked[connection] = int.from_bytes(pdu[5:], 'little')
        elif received and code == READ_BY_TYPE_RESPONSE and self.asked.get(connection) == CHARACTERISTIC:
            self.characteristics(pdu[1], pdu[2:])
        elif not received and code == WRITE_REQUEST:
            self.writing = (struct.unpack_from('<H', pdu, 1)[0], pdu[3:])
        elif received and code == WRITE_RESPONSE and self.writing:
            handle, value = self.writing
            self.writing = None
            if value[:1] == b'\1' and self.describes_measurement(handle):
                self.capture.subscribed.append(time)
        elif received and code == NOTIFICATION:
            if self.capture.value_handle and struct.unpack_from('<H', pdu, 1)[0] == self.capture.value_handle:
                self.capture.notifications.append(Notification(time, pdu[3:]))

    def characteristics(self, size, entries):
        # Each entry: handle of the declaration, properties, handle of the value, UUID.
        for at in range(0, len(entries) - size + 1, size):
            declaration, _, value = struct.unpack_from('<HBH', entries, at)
            self.declarations.add(declaration)
            if entries[at + 5:at + size] == HEART_RATE_MEASUREMENT.to_bytes(2, 'little'):
                self.capture.value_handle = value

    def describes_measurement(self, handle):
        """The only descriptor of the measurement that is ever written is its configuration (0x2902). bluetoothd does
        not ask for the type of a descriptor that stands alone, so it is known here by its place."""
        value = self.capture.value_handle
        end = min((d for d in self.declarations if d > value), default=value + 2)
        return 0 < value < handle < end


def read(data, address):
    """Reads the bytes of a btsnoop file; the strap's address as AA:BB:CC:DD:EE:FF."""
    reader = Reader(address)
    for time, opcode, packet, lost in records(data):
        reader.capture.dropped = max(reader.capture.dropped, lost)
        reader.take(time, opcode, packet)
    return reader.capture

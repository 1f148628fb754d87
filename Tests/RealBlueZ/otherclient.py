"""Another program that uses the strap at the same time: a D-Bus client of its own, since the guest has no library for
one and busctl leaves the bus after each call. It speaks as much of D-Bus's protocol as that takes."""
import os
import socket
import struct

BUS = '/run/dbus/system_bus_socket'
REPLY, ERROR, SIGNAL = 2, 3, 4
PATH, INTERFACE, MEMBER, DESTINATION, SIGNATURE = 1, 2, 3, 6, 8


class OtherClient:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(BUS)
        self.socket.sendall(b'\0AUTH EXTERNAL ' + str(os.getuid()).encode().hex().encode() + b'\r\n')
        answer = self.socket.recv(4096)
        if not answer.startswith(b'OK '):
            raise ConnectionError(answer)
        self.socket.sendall(b'NEGOTIATE_UNIX_FD\r\n')
        answer = self.socket.recv(4096)
        if not answer.startswith(b'AGREE_UNIX_FD'):
            raise ConnectionError(answer)
        self.socket.sendall(b'BEGIN\r\n')
        self.serial, self.received, self.values, self.descriptors = 0, b'', [], []
        self.call('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus', 'Hello')

    def listen(self, characteristic):
        """Switches notifications on, for itself, and keeps what is signalled."""
        self.call('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus', 'AddMatch',
                  f"type='signal',sender='org.bluez',path='{characteristic}'")
        self.call('org.bluez', characteristic, 'org.bluez.GattCharacteristic1', 'StartNotify')

    def acquire(self, characteristic):
        """Takes the notifications for itself alone, for as long as it lives."""
        # No options: an empty array of dictionary entries, which are aligned to eight bytes.
        self.call('org.bluez', characteristic, 'org.bluez.GattCharacteristic1', 'AcquireNotify', signature='a{sv}',
                  body=bytes(8))

    def count(self):
        """How many values were signalled to it so far."""
        self.socket.setblocking(False)
        try:
            while self.receive():
                pass
        except BlockingIOError:
            pass
        self.socket.settimeout(60)
        while self.message():
            pass
        return len(self.values)

    def close(self):
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.socket.close()

    def receive(self):
        """What the bus has sent, with the descriptors in it; false when it has hung up."""
        data, descriptors, _, _ = socket.recv_fds(self.socket, 65536, 8)
        self.received += data
        self.descriptors += descriptors
        return len(data) > 0

    def call(self, destination, path, interface, member, *strings, signature='', body=b''):
        """A method with string arguments, or others as they go on the wire; raises ConnectionError with the error's
        body."""
        self.serial += 1
        for text in strings:
            body += b'\0' * (-len(body) % 4) + string(text)
        signature = signature or 's' * len(strings)
        fields = b''
        given = [(PATH, 'o', string(path)), (INTERFACE, 's', string(interface)), (MEMBER, 's', string(member)),
                 (DESTINATION, 's', string(destination))]
        if signature:
            given.append((SIGNATURE, 'g', bytes([len(signature)]) + signature.encode() + b'\0'))
        for code, kind, value in given:
            # Code and variant are four bytes, so the value that follows is aligned.
            fields += b'\0' * (-len(fields) % 8) + bytes([code, 1]) + kind.encode() + b'\0' + value
        header = struct.pack('<cBBBIII', b'l', 1, 0, 1, len(body), self.serial, len(fields)) + fields
        self.socket.sendall(header + b'\0' * (-len(header) % 8) + body)
        while True:
            message = self.message()
            if message is None:
                if not self.receive():
                    raise ConnectionError('the bus hung up')
            # One call at a time: the next answer is this call's.
            elif message[0] == ERROR:
                raise ConnectionError(message[1])
            elif message[0] == REPLY:
                return

    def message(self):
        """Takes one whole message off the buffer: its type and body, or None."""
        if len(self.received) < 16:
            return None
        _, kind, _, _, length, _, fields = struct.unpack_from('<cBBBIII', self.received)
        start = 16 + fields + -fields % 8
        if len(self.received) < start + length:
            return None
        body, self.received = self.received[start:start + length], self.received[start + length:]
        if kind == SIGNAL and b'\5\0\0\0Value\0' in body:
            self.values.append(body)
        return kind, body


def string(text):
    return struct.pack('<I', len(text.encode())) + text.encode() + b'\0'

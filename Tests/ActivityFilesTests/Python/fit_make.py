"""Makes FIT files of odd forms, as devices write them or may; by the FIT protocol alone, with nothing of this project.

Prints a line of JSON a file: its name, its octets in hexadecimal, and what is to be read from it.
"""

import json
import struct

EPOCH = 631065600
START = 1_150_000_000
ENUM, UINT8, STRING, BYTE, UINT16, UINT32, UINT8Z, UINT16Z, UINT32Z = 0, 2, 7, 13, 0x84, 0x86, 10, 0x8B, 0x8C
SINT16, SINT32, FLOAT32, FLOAT64, UINT64 = 0x83, 0x85, 0x88, 0x89, 0x8F
CODES = {
    ENUM: "B", UINT8: "B", BYTE: "B", UINT8Z: "B", UINT16: "H", UINT16Z: "H", UINT32: "I", UINT32Z: "I", SINT16: "h",
    SINT32: "i", FLOAT32: "f", FLOAT64: "d", UINT64: "Q"}


def crc(data):
    """Bit by bit, as the polynomial has it."""
    value = 0
    for octet in data:
        value ^= octet
        for _ in range(8):
            value = value >> 1 ^ (0xA001 if value & 1 else 0)
    return value


class File:
    def __init__(self, big=False, header=14, header_crc=True):
        self.data, self.big, self.header, self.header_crc = b"", big, header, header_crc

    def define(self, local, message, fields, developer=()):
        order = ">" if self.big else "<"
        self.data += bytes([0x40 | (0x20 if developer else 0) | local, 0, int(self.big)])
        self.data += struct.pack(order + "HB", message, len(fields))
        for field in fields:
            self.data += bytes(field)
        if developer:
            self.data += bytes([len(developer)])
            for field in developer:
                self.data += bytes(field)
        return self

    def add(self, local, *octets):
        self.data += bytes([local]) + b"".join(octets)
        return self

    def compressed(self, local, timestamp, *octets):
        self.data += bytes([0x80 | local << 5 | timestamp & 0x1F]) + b"".join(octets)
        return self

    def of(self, base, *values):
        return b"".join(struct.pack((">" if self.big else "<") + CODES[base], value) for value in values)

    def whole(self):
        head = struct.pack("<BBHI4s", self.header, 0x20, 2195, len(self.data), b".FIT")
        if self.header == 14:
            head += struct.pack("<H", crc(head) if self.header_crc else 0)
        return head + self.data + struct.pack("<H", crc(head + self.data))


def basics(file, session=True, sport=1, sub_sport=0, start=START, length=20):
    """file_id, and as local type 1 the timer, 2 the session."""
    file.define(0, 0, [(0, 1, ENUM), (1, 2, UINT16), (3, 4, UINT32Z), (4, 4, UINT32)])
    file.add(0, file.of(ENUM, 4), file.of(UINT16, 1), file.of(UINT32Z, 77), file.of(UINT32, start))
    file.define(1, 21, [(253, 4, UINT32), (0, 1, ENUM), (1, 1, ENUM)])
    file.define(2, 18, [(253, 4, UINT32), (2, 4, UINT32), (7, 4, UINT32), (8, 4, UINT32), (5, 1, ENUM), (6, 1, ENUM)])
    if session:
        file.add(
            2, file.of(UINT32, start + length), file.of(UINT32, start), file.of(UINT32, 1000 * length),
            file.of(UINT32, 1000 * length), file.of(ENUM, sport, sub_sport))
    return file


def timer(file, at, kind):
    return file.add(1, file.of(UINT32, START + at), file.of(ENUM, 0, kind))


def records(file, pairs):
    file.define(3, 20, [(253, 4, UINT32), (3, 1, UINT8)])
    for at, rate in pairs:
        file.add(3, file.of(UINT32, START + at), file.of(UINT8, rate))
    return file


made = []


def make(name, data, **expected):
    out = {"name": name, "hex": data.hex(), "workouts": 1, "start": START + EPOCH, "rates": [], "offsets": []}
    out.update(expected)
    made.append(out)


# Octets in the other order, in all messages.
file = records(basics(File(big=True)), [(0, 100), (1, 101), (2, 102)])
make("big-endian", file.whole(), rates=[100, 101, 102], offsets=[0, 1000, 2000], activity="running", length=20000)

# A header of 12 octets, and one of 14 whose checksum was not computed.
file = records(basics(File(header=12)), [(5, 90)])
make("short-header", file.whole(), rates=[90], offsets=[5000], activity="running")
file = records(basics(File(header_crc=False)), [(5, 90)])
make("no-header-checksum", file.whole(), rates=[90], offsets=[5000])

# Compressed timestamps, over the places where five bits begin anew: START is a multiple of 32.
file = records(basics(File(), length=60), [(0, 100)])
file.define(0, 20, [(3, 1, UINT8)])
for at in (1, 2, 14, 15, 16, 17, 40, 50):
    file.compressed(0, START + at, file.of(UINT8, 100 + at))
make(
    "compressed-timestamps", file.whole(), rates=[100, 101, 102, 114, 115, 116, 117, 140, 150],
    offsets=[0, 1000, 2000, 14000, 15000, 16000, 17000, 40000, 50000])

# Messages and fields that nobody knows, sizes and types that the profile does not have.
file = basics(File())
file.define(4, 0xFF11, [(0, 3, 0x55), (1, 7, UINT32)]).add(4, b"\x01\x02\x03", b"1234567")
file.define(5, 20, [(200, 5, STRING), (3, 2, UINT16), (253, 4, UINT32), (99, 3, UINT16)])
file.add(5, b"abc\0\0", file.of(UINT16, 140), file.of(UINT32, START + 3), b"\1\2\3")
file.define(6, 20, [(253, 4, UINT32), (3, 4, FLOAT32)])
file.add(6, file.of(UINT32, START + 4), file.of(FLOAT32, 141.0))
file.define(7, 20, [(253, 4, UINT32), (3, 2, UINT8)]).add(7, file.of(UINT32, START + 5), file.of(UINT8, 142, 7))
file.define(8, 20, [(253, 4, SINT32), (3, 2, SINT16)]).add(8, file.of(SINT32, START + 6), file.of(SINT16, 143))
file.define(9, 20, [(253, 4, UINT32), (3, 1, UINT32)]).add(9, file.of(UINT32, START + 7), b"\x90")
file.define(10, 20, [(253, 4, UINT32), (3, 1, 0x55)]).add(10, file.of(UINT32, START + 8), b"\x91")
file.define(11, 20, [(253, 4, UINT32), (3, 2, SINT16)]).add(11, file.of(UINT32, START + 9), file.of(SINT16, -5))
file.define(12, 20, []).add(12)
make(
    "unknown", file.whole(), rates=[140, 141, 142, 143, 144, 145], offsets=[3000, 4000, 5000, 6000, 7000, 8000])

# Developer fields of somebody else, who has the numbers that this project has.
file = basics(File())
file.define(4, 207, [(3, 1, UINT8), (1, 16, BYTE)]).add(4, b"\0", bytes(range(16)))
file.define(5, 206, [(0, 1, UINT8), (1, 1, UINT8), (2, 1, UINT8), (3, 6, STRING)])
file.add(5, b"\0", b"\5", bytes([UINT32]), b"mine\0\0")
file.define(3, 20, [(253, 4, UINT32), (3, 1, UINT8)], [(5, 4, 0), (9, 2, 3)])
file.add(3, file.of(UINT32, START + 1), b"\x64", file.of(UINT32, 9), b"zz")
file.add(3, file.of(UINT32, START + 2), b"\x65", file.of(UINT32, 9), b"zz")
make("developer-fields", file.whole(), rates=[100, 101], offsets=[1000, 2000])

# Several files, one behind the other; one of them holds settings.
first = records(basics(File()), [(1, 100)]).whole()
settings = File().define(0, 0, [(0, 1, ENUM)]).add(0, b"\2").whole()
second = records(basics(File(big=True), sport=2), [(2, 110), (3, 111)]).whole()
make("chained", first + settings + second, rates=[100], offsets=[1000], workouts=2, second=[110, 111])

# Two sessions in one file.
file = basics(File(), sport=5, length=10)
file.add(2, *[file.of(UINT32, value) for value in (START + 30, START + 10, 20000, 20000)], file.of(ENUM, 2, 6))
records(file, [(1, 100), (9, 101), (10, 110), (12, 111)])
make(
    "two-sessions", file.whole(), rates=[100, 101], offsets=[1000, 9000], workouts=2, second=[110, 111],
    activity="swimming", length=10000)

# Pauses of all kinds of stops, a start too many, and intervals between the records.
file = timer(basics(File(), length=60), 0, 0)
records(file, [(1, 100)])
file.define(4, 78, [(0, 10, UINT16)])
file.add(4, file.of(UINT16, 600, 605, 0xFFFF, 0xFFFF, 0xFFFF))
records(file, [(2, 101)])
timer(timer(timer(file, 10, 4), 10, 8), 15, 0)
timer(timer(timer(file, 20, 1), 25, 0), 25, 0)
file.add(4, file.of(UINT16, 800, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF))
timer(file, 50, 9)
make(
    "pauses", file.whole(), rates=[100, 101, 0], offsets=[1000, 2000, 50000], rr=[[], [600, 605], [800]],
    running=[[0, 10000], [15000, 20000], [25000, 50000]], length=60000)

# Laps, which are none where one is all there is; the session stands last.
for count in (1, 2):
    file = records(basics(File(), session=False), [(1, 100), (19, 120)])
    file.define(4, 19, [(253, 4, UINT32), (2, 4, UINT32), (7, 4, UINT32)])
    for index in range(count):
        length = 20 // count
        file.add(4, *[file.of(UINT32, value) for value in (
            START + (index + 1) * length, START + index * length, length * 1000)])
    file.add(
        2, *[file.of(UINT32, value) for value in (START + 20, START, 20000, 20000)], file.of(ENUM, 11, 0))
    make(
        f"laps-{count}", file.whole(), rates=[100, 120], offsets=[1000, 19000], activity="walking",
        laps=[] if count == 1 else [[0, 10000], [10000, 20000]])

# A strap with a memory: whole times first, then twelve bits each.
file = basics(File())
file.define(4, 132, [(253, 4, UINT32), (0, 2, UINT16), (6, 1, UINT8), (9, 4, UINT32)])
file.add(4, file.of(UINT32, START + 2), file.of(UINT16, 16384), b"\x64", file.of(UINT32, 1_000_000))
file.define(5, 132, [(6, 4, UINT8), (10, 6, BYTE)])
events = [(1_000_000 + 1024 * step) & 0xFFF for step in (1, 2, 5, 6)]
packed = b""
for low, high in zip(events[::2], events[1::2]):
    packed += (low | high << 12).to_bytes(3, "little")
file.add(5, bytes([101, 102, 103, 0xFF]), packed)
make(
    "strap-with-memory", file.whole(), rates=[100, 101, 102, 103], offsets=[2500, 3500, 4500, 7500],
    rr=[[], [1000], [1000], [3000]])

# A watch's beats, beside records without intervals.
file = records(basics(File()), [(1, 100), (3, 101)])
file.define(4, 290, [(253, 4, UINT32), (0, 2, UINT16), (1, 6, UINT16)])
file.add(4, file.of(UINT32, START + 2), file.of(UINT16, 250), file.of(UINT16, 900, 910, 0xFFFF))
file.define(5, 372, [(253, 4, UINT32), (0, 2, UINT16), (1, 4, UINT16)])
file.add(5, file.of(UINT32, START + 4), file.of(UINT16, 0), file.of(UINT16, 920 | 1 << 14, 930 | 1 << 15))
make(
    "beat-intervals", file.whole(), rates=[100, 0, 101, 0], offsets=[1000, 2250, 3000, 4000],
    rr=[[], [900, 910], [], [920, 930]])

# A clock that went back, and one that lay hours and years outside.
file = records(basics(File()), [(3, 103), (1, 101), (2, 102), (2, 112), (90_000, 55), (-90_000, 56), (700_000_000, 57)])
make("clocks", file.whole(), rates=[101, 102, 112, 103], offsets=[1000, 2000, 2000, 3000], length=20000)

# No session and no timer: the first heart rate begins it.
file = records(basics(File(), session=False), [(7, 100), (9, 0xFF), (12, 102)])
make(
    "no-session", file.whole(), rates=[100, 102], offsets=[0, 5000], start=START + 7 + EPOCH, length=6000,
    activity="other")

# A strap on ANT+, what it is, and its battery.
file = records(basics(File()), [(1, 100)])
file.define(4, 23, [(253, 4, UINT32), (0, 1, UINT8), (1, 1, UINT8), (2, 2, UINT16), (3, 4, UINT32Z), (25, 1, ENUM),
                    (27, 8, STRING), (32, 1, UINT8)])
file.add(4, file.of(UINT32, START), b"\0\xFF", file.of(UINT16, 1), file.of(UINT32Z, 1), b"\5", b"Watch\0\0\0", b"\xFF")
file.add(4, file.of(UINT32, START), b"\3\x78", file.of(UINT16, 123), file.of(UINT32Z, 4711), b"\1", b"H10\0\0\0\0\0", b"\x50")
make(
    "strap", file.whole(), rates=[100], offsets=[1000], strap=["Polar Electro Oy", "H10", "4711", "80"])

for one in made:
    print(json.dumps(one, sort_keys=True))

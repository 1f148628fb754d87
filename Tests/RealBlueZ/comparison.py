"""Compares what strapd stored with what the host received, payload by payload and in order.

Everything received must be stored, but for the stretches that the scenario explains (the daemon was dead, a link was
lost): each is an Allowance. Nothing may be stored that was not received. What the strap says that it sent, and the
capture does not have, was received all the same: on a slow machine the kernel drops packets of a capture, and says
nothing of it.
"""
from dataclasses import dataclass

# What had reached the kernel but not yet the store when the link or the daemon died: at four notifications a second
# and the latencies of an emulated machine, a couple.
IN_FLIGHT = 2


@dataclass(frozen=True)
class Allowance:
    """One contiguous run of received payloads that may be absent from the store: it ends with the last one before end
    (wall time in seconds), and of those before start only the last in_flight ones belong to it."""
    name: str
    start: float
    end: float
    in_flight: int = IN_FLIGHT


def outage(name, start, end, subscribed, disconnected):
    """What a stretch of trouble explains: nobody may have listened from its start to the first subscription in it, and
    with each link that ended later in it went what was in flight. All times; subscribed and disconnected: sorted, of
    the whole capture. What was lost in the middle of a link is explained by none of these."""
    def renewed(since):
        return min([time for time in subscribed if time > since] + [end])

    first = renewed(start)
    allowances = [Allowance(name, start, first)]
    for number, ending in enumerate((time for time in disconnected if first < time <= end), start=1):
        allowances.append(Allowance(f'{name}, later link {number}', ending, renewed(ending)))
    return allowances


@dataclass(frozen=True)
class Verdict:
    faults: list  # a sentence each; empty means equal
    excused: dict  # name of the allowance: how many payloads it excused
    uncaptured: int = 0  # stored and sent, and not in the capture


def compare(received, stored, allowances, sent=()):
    """received: Notifications in order; stored: payloads in order; sent: what the strap says that it sent."""
    places = {}
    for index, notification in enumerate(received):
        if notification.payload in places:
            # Order could not be judged: the straps are to send distinct payloads.
            return Verdict([f'received {notification.payload.hex()} twice: the capture is ambiguous'], {})
        places[notification.payload] = index

    faults, present, uncaptured, newest = [], set(), set(), -1
    for index, payload in enumerate(stored):
        place = places.get(payload)
        if place is None and payload in sent and payload not in uncaptured:
            uncaptured.add(payload)
        elif payload in uncaptured:
            faults.append(f'stored {payload.hex()} (row {index}) twice')
        elif place is None:
            faults.append(f'stored {payload.hex()} (row {index}) was never received')
        elif place in present:
            faults.append(f'stored {payload.hex()} (row {index}) twice')
        elif place < newest:
            faults.append(f'stored {payload.hex()} (row {index}) out of order')
        if place is not None:
            present.add(place)
            newest = max(newest, place)

    excused = {}
    for first, last in runs([index for index in range(len(received)) if index not in present]):
        allowance = next((a for a in allowances if a.name not in excused and covers(a, received, first, last)), None)
        if allowance:
            excused[allowance.name] = last - first + 1
        else:
            a, b = received[first], received[last]
            faults.append(f'received but not stored: {last - first + 1} from {a.payload.hex()} at {a.time:.3f} '
                          f'to {b.payload.hex()} at {b.time:.3f}')
    return Verdict(faults, excused, len(uncaptured))


def runs(indices):
    """[3, 4, 5, 9] → (3, 5), (9, 9)."""
    found = []
    for index in indices:
        if found and found[-1][1] == index - 1:
            found[-1] = (found[-1][0], index)
        else:
            found.append((index, index))
    return found


def covers(allowance, received, first, last):
    times = [notification.time for notification in received]
    early = sum(1 for index in range(first, last + 1) if times[index] < allowance.start)
    # A run that does not reach the end is another fault: what came behind it was stored, by a daemon that listened.
    reaches = last + 1 == len(received) or times[last + 1] >= allowance.end
    return early <= allowance.in_flight and reaches and times[last] <= allowance.end

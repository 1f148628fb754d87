"""Reads FIT files with three readers that nobody here wrote, and prints what each has read, a line of JSON a reader."""

import calendar
import json
import sys

import fitdecode
import fitparse
import garmin_fit_sdk


def seconds(value):
    return None if value is None else calendar.timegm(value.utctimetuple())


def milliseconds(value):
    return None if value is None else round(value * 1000)


def listed(value):
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def told(messages):
    """What counts, of messages as pairs of a name and a function from a field's name to its value."""
    out = {"records": [], "rr": [], "timer": [], "laps": [], "sessions": [], "zones": [], "strap": [], "order": []}
    for name, get in messages:
        if not out["order"] or out["order"][-1] != name:
            out["order"].append(name)
        if name == "record":
            contact = get("skin_contact")
            out["records"].append([seconds(get("timestamp")), get("heart_rate"), contact, get("heart_rate_16")])
        elif name == "hrv":
            out["rr"] += [milliseconds(value) for value in listed(get("time")) if value is not None]
        elif name == "event" and get("event") in ("timer", 0):
            out["timer"].append([seconds(get("timestamp")), str(get("event_type"))])
        elif name == "lap":
            out["laps"].append([
                seconds(get("start_time")), milliseconds(get("total_elapsed_time")),
                milliseconds(get("total_timer_time")), get("avg_heart_rate"), get("max_heart_rate"),
                get("min_heart_rate"), get("total_calories"), get("label")])
        elif name == "session":
            out["sessions"].append([
                seconds(get("start_time")), milliseconds(get("total_elapsed_time")),
                milliseconds(get("total_timer_time")), get("avg_heart_rate"), get("max_heart_rate"),
                get("min_heart_rate"), get("total_calories"), get("num_laps"), str(get("sport")),
                str(get("sub_sport")), get("workout_id"), get("title"), get("rr_count")])
        elif name == "time_in_zone":
            out["zones"].append([str(get("reference_mesg")), get("reference_index")] + [
                milliseconds(value) for value in listed(get("time_in_hr_zone"))])
        elif name == "device_info" and get("device_index") not in ("creator", 0):
            out["strap"].append([
                get("product_name"), get("serial_number"), get("battery_level"), str(get("source_type")),
                get("manufacturer_name"), get("bluetooth_address"), str(get("manufacturer"))])
        elif name == "activity":
            out["activity"] = [
                seconds(get("timestamp")), milliseconds(get("total_timer_time")), get("num_sessions")]
    return out


def with_garmin(path):
    stream = garmin_fit_sdk.Stream.from_file(path)
    whole = garmin_fit_sdk.Decoder(stream).check_integrity()
    messages, names, order = {}, {}, []
    numbers = {number: message["name"] for number, message in garmin_fit_sdk.Profile["messages"].items()}

    def listen(number, message):
        name = numbers.get(number, str(number))
        if name == "field_description":
            names[message.get("key", len(names))] = "".join(listed(message["field_name"]))
        own = {names[key]: value for key, value in message.get("developer_fields", {}).items()}
        order.append((name, lambda field, own=own, message=message: own.get(field, message.get(field))))

    stream = garmin_fit_sdk.Stream.from_file(path)
    _, errors = garmin_fit_sdk.Decoder(stream).read(mesg_listener=listen)
    out = told(order)
    out["whole"] = whole and not errors
    return out


def with_fitdecode(path):
    with fitdecode.FitReader(
            path, check_crc=fitdecode.CrcCheck.RAISE, error_handling=fitdecode.ErrorHandling.RAISE) as frames:
        order = [
            (frame.name, lambda field, frame=frame: frame.get_value(field, fallback=None))
            for frame in frames if isinstance(frame, fitdecode.FitDataMessage)]
        out = told(order)
    out["whole"] = True
    return out


# Of what came into the profile after fitparse's copy of it, it tells by number and unscaled.
NEWER_MESSAGES = {"unknown_216": "time_in_zone"}
NEWER_FIELDS = {
    ("device_info", "battery_level"): (32, 1), ("unknown_216", "time_in_hr_zone"): (2, 1000),
    ("unknown_216", "reference_mesg"): (0, 1), ("unknown_216", "reference_index"): (1, 1)}
NEWER_VALUES = {("reference_mesg", 18): "session", ("reference_mesg", 19): "lap"}


def with_fitparse(path):
    def getter(message):
        def get(field):
            name, scale = NEWER_FIELDS.get((message.name, field), (field, 1))
            value = message.get_value(name)
            if scale != 1:
                value = [one / scale for one in listed(value)]
            if isinstance(value, int):
                value = NEWER_VALUES.get((field, value), value)
            return value
        return get

    with fitparse.FitFile(path, check_crc=True) as file:
        out = told([
            (NEWER_MESSAGES.get(message.name, message.name), getter(message)) for message in file.get_messages()])
    out["whole"] = True
    return out


for reader in (with_garmin, with_fitdecode, with_fitparse):
    for path in sys.argv[1:]:
        print(json.dumps({"reader": reader.__name__[5:], **reader(path)}, sort_keys=True))

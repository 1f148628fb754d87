"""What the vendor's own package says: a file that its encoder makes, in hexadecimal, and the numbers of its profile."""

import json

from garmin_fit_sdk import Encoder, Profile

START = 1_150_000_000

MESSAGES = [
    "file_id", "sport", "session", "lap", "record", "event", "device_info", "workout", "activity", "file_creator", "hrv",
    "hr", "field_description", "developer_data_id", "time_in_zone", "beat_intervals", "raw_bbi"]
TYPES = [
    "sport", "sub_sport", "manufacturer", "event", "event_type", "source_type", "ble_device_type",
    "antplus_device_type", "lap_trigger", "session_trigger", "activity", "comm_timeout_type", "hr_zone_calc", "file",
    "fit_base_type", "battery_status"]


def encoded():
    encoder = Encoder()

    def write(name, **fields):
        encoder.write_mesg({"mesg_num": Profile["mesg_num"][name.upper()], **fields})

    write("file_id", type="activity", manufacturer="garmin", serial_number=1, time_created=START)
    write("device_info", timestamp=START, device_index=2, source_type="bluetooth_low_energy", device_type=1,
          manufacturer="suunto", product_name="Smart Sensor", battery_level=55, serial_number=99)
    write("workout", wkt_name="Schwelle 4 × 4")
    write("event", timestamp=START, event="timer", event_type="start")
    for second in range(120):
        if 60 <= second < 90:
            continue
        if second in (0, 90):
            write("event", timestamp=START + second, event="timer", event_type="start")
        write("record", timestamp=START + second, heart_rate=100 + second % 40, distance=3.0 * second, power=200)
        write("hrv", time=[0.5, 0.501 + second % 4 / 1000])
        if second == 59:
            write("event", timestamp=START + 60, event="timer", event_type="stop_all")
    write("event", timestamp=START + 120, event="timer", event_type="stop_all")
    for index, (start, end) in enumerate([(0, 60), (60, 120)]):
        write("lap", message_index=index, timestamp=START + end, start_time=START + start,
              total_elapsed_time=end - start, total_timer_time=(60 if index == 0 else 30))
    write("session", message_index=0, timestamp=START + 120, start_time=START, total_elapsed_time=120.0,
          total_timer_time=90.0, sport="cycling", sub_sport="indoor_cycling", total_calories=100, num_laps=2,
          first_lap_index=0)
    write("activity", timestamp=START + 120, num_sessions=1, total_timer_time=90.0)
    return encoder.close()


messages = {message["name"]: message for message in Profile["messages"].values()}
print(json.dumps({
    "hex": bytes(encoded()).hex(),
    "messages": {
        name: {"number": int(messages[name]["num"]), "fields": {
            field["name"]: int(number) for number, field in messages[name]["fields"].items()}}
        for name in MESSAGES},
    "types": {
        name: {text: int(number) for number, text in Profile["types"][name].items() if text.isascii()}
        for name in TYPES},
}))

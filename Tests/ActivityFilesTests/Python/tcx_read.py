"""Reads a TCX file with tcxreader, and what that passes over with Python's own XML parser, and prints both."""

import sys
import xml.etree.ElementTree as ET

from tcxreader.tcxreader import TCXReader

exercise = TCXReader().read(sys.argv[1], only_gps=False)
print("sport", exercise.activity_type, exercise.calories, exercise.hr_max)
for lap in exercise.laps:
    print("lap", lap.calories, int(lap.distance), lap.hr_max, len(lap.trackpoints))
    for point in lap.trackpoints:
        print("point", point.time.isoformat(timespec="milliseconds"), point.hr_value)
ns = "{http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2}"
for lap in ET.parse(sys.argv[1]).iter(ns + "Lap"):
    print("total", lap.get("StartTime"), lap.findtext(ns + "TotalTimeSeconds"))

"""Reads a CSV file with Python's own reader, and prints a line a row."""

import csv
import datetime
import sys

for row in csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8")):
    date = datetime.datetime.fromisoformat(row["date (UTC)"].replace("Z", "+00:00"))
    print(date.timestamp(), row["heart rate (bpm)"], len(row), bytes.fromhex(row["payload (hex)"]).hex())

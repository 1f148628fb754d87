# Whether workouts, a list of them in a file, are what config/strapd-workout.schema.json says, by PyPI's jsonschema.
import json
import os
import sys

import jsonschema

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
schema = json.load(open(os.path.join(root, "config", "strapd-workout.schema.json")))
workouts = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for number, workout in enumerate(workouts):
    for error in validator.iter_errors(workout):
        print("workout", number, error.json_path, error.message[:200])
for change in [{"laps": [{}]}, {"version": 2}, {"more": 1}]:
    assert not validator.is_valid(workouts[0] | change)
print(len(workouts), "workouts")

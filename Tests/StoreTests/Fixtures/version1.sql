BEGIN TRANSACTION;
CREATE TABLE boot (
  -- Everywhere: a tick is nanoseconds of CLOCK_BOOTTIME in the boot beside it (negative: before that boot, by the
  -- wall clock); a date or wall is nanoseconds since 1970-01-01T00:00:00Z.
  number INTEGER PRIMARY KEY,
  boot_id TEXT NOT NULL UNIQUE,
  tick INTEGER NOT NULL, -- both clocks, read at the same moment, the newest
  wall INTEGER NOT NULL,
  alive_tick INTEGER, -- when the daemon last said that it lives
  alive_wall INTEGER
) STRICT;
INSERT INTO "boot" VALUES(1,'boot A',100000000000,1796025700000000000,100000000000,1796025700000000000);
CREATE TABLE client_data (
  -- What a client keeps with a session for itself; strapd reads nothing of it.
  session INTEGER PRIMARY KEY REFERENCES session (number),
  metadata TEXT, -- a JSON object
  blob TEXT
) STRICT;
CREATE TABLE event (
  sequence INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES session (number),
  kind TEXT NOT NULL, -- transition, availability, linkLost, gap, recovered, lap, segment, marker, activityBegan,
  -- activityEnded, types, alertOn, alertOff, goal, pauseOrResumeRequest, postExerciseEnded,
  -- discarded, restored
  boot INTEGER NOT NULL REFERENCES boot (number),
  tick INTEGER NOT NULL,
  date INTEGER NOT NULL,
  is_requested INTEGER NOT NULL,
  about_tick INTEGER, -- a transition's official moment; a gap's last measurement; the last life before a recovery;
  -- a lap's, a segment's or an activity's start, an activity's end, a marker's moment
  about_date INTEGER,
  about_is_requested INTEGER,
  until_tick INTEGER, -- a lap's or a segment's end
  until_date INTEGER,
  until_is_requested INTEGER,
  from_state TEXT CHECK (from_state IN ('notStarted', 'prepared', 'running', 'paused', 'stopped', 'ended')),
  to_state TEXT CHECK (to_state IN ('notStarted', 'prepared', 'running', 'paused', 'stopped', 'ended')),
  cause TEXT,
  end_reason TEXT,
  availability TEXT,
  activity TEXT,
  location TEXT,
  detail TEXT -- a client's own words for a lap, a segment, a marker or an activity; types, an alert or a goal
) STRICT;
INSERT INTO "event" VALUES(1,1,'transition',1,2000000000,1796025602000000000,0,2000000000,1796025602000000000,1,NULL,NULL,NULL,'prepared','running','user',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "event" VALUES(2,1,'lap',1,20000000000,1796025620000000000,0,2000000000,1796025602000000000,0,20000000000,1796025620000000000,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "event" VALUES(3,1,'transition',1,20000000000,1796025620000000000,0,20000000000,1796025620000000000,0,NULL,NULL,NULL,'running','stopped','user',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "event" VALUES(4,1,'transition',1,20000000000,1796025620000000000,0,20000000000,1796025620000000000,0,NULL,NULL,NULL,'stopped','ended','user','user',NULL,NULL,NULL,NULL);
INSERT INTO "event" VALUES(5,2,'transition',1,31000000000,1796025631000000000,0,31000000000,1796025631000000000,0,NULL,NULL,NULL,'prepared','running','user',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "event" VALUES(7,2,'recovered',1,50000000000,1796025650000000000,0,40000000000,1796025640000000000,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "meta" VALUES('reservedSequence',1000);
CREATE TABLE sample (
  session INTEGER NOT NULL REFERENCES session (number),
  sequence INTEGER NOT NULL,
  boot INTEGER NOT NULL REFERENCES boot (number),
  tick INTEGER NOT NULL,
  heart_rate INTEGER NOT NULL, -- beats a minute, 0: no reading
  contact TEXT NOT NULL CHECK (contact IN ('detected', 'notDetected', 'unknown')),
  energy_kilojoules INTEGER,
  rr BLOB, -- intervals in ticks of 1/1024 s, two octets each, the less significant first; oldest interval first
  warnings INTEGER NOT NULL, -- a bit mask: 1 odd RR octet, 2 RR flag without RR, 4 trailing octets, 8 RR of zero,
  -- 16 contact bit without support, 32 reserved flag bits, 64 heart rate of zero, 128 energy saturated,
  -- 256 an interval that is no beat's left out of rr, 512 a heart rate that jumps as no heart does
  is_repeat INTEGER NOT NULL CHECK (is_repeat IN (0, 1)),
  last_beat_tick INTEGER, -- where the last interval's beat lies; NULL where there is none, or no room for it
  beat_uncertainty INTEGER, -- nanoseconds by which the beats may have been later
  payload BLOB NOT NULL, -- the octets as they came; heart_rate to warnings follow from them, but for 256 and 512
  PRIMARY KEY (session, sequence)
) STRICT, WITHOUT ROWID;
INSERT INTO "sample" VALUES(2,6,1,35000000000,120,'detected',NULL,NULL,0,0,NULL,NULL,X'0678');
CREATE TABLE session (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('notStarted', 'prepared', 'running', 'paused', 'stopped', 'ended')),
  activity TEXT NOT NULL,
  location TEXT NOT NULL,
  wanted_strap TEXT,
  wanted_adapter TEXT,
  strap TEXT,
  is_unprepared INTEGER NOT NULL CHECK (is_unprepared IN (0, 1)),
  end_reason TEXT,
  created_boot INTEGER NOT NULL REFERENCES boot (number),
  created_tick INTEGER NOT NULL,
  created_date INTEGER NOT NULL,
  created_is_requested INTEGER NOT NULL,
  start_boot INTEGER REFERENCES boot (number),
  start_tick INTEGER,
  start_date INTEGER,
  start_is_requested INTEGER,
  end_boot INTEGER REFERENCES boot (number),
  end_tick INTEGER,
  end_date INTEGER,
  end_is_requested INTEGER,
  collection TEXT NOT NULL CHECK (collection IN ('open', 'ended', 'finished')),
  zones TEXT, -- where each zone but the first begins, in beats a minute
  types_by_hand TEXT, -- what is collected, once a type has been enabled or disabled by hand
  goals TEXT, -- one a line: duration SECONDS, energy KILOJOULES
  alerts TEXT, -- one a line: above|below BPM, outsideZone ZONE, every SECONDS; then debounce SECONDS delay SECONDS
  countdown_boot INTEGER REFERENCES boot (number), -- when a countdown comes to zero, while one runs
  countdown_tick INTEGER,
  countdown_date INTEGER,
  countdown_is_requested INTEGER,
  starts_at_first_beat INTEGER NOT NULL CHECK (starts_at_first_beat IN (0, 1)),
  is_discarded INTEGER NOT NULL CHECK (is_discarded IN (0, 1)) -- its workout goes to the trash
) STRICT;
INSERT INTO "session" VALUES(1,'00000000-0000-4000-8000-000000000001','ended','running','outdoor',NULL,NULL,'F0:F1:F2:F3:F4:F5',0,'user',1,1000000000,1796025601000000000,0,1,2000000000,1796025602000000000,1,1,20000000000,1796025620000000000,0,'finished',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,0);
INSERT INTO "session" VALUES(2,'00000000-0000-4000-8000-000000000002','running','cycling','indoor',NULL,NULL,'F0:F1:F2:F3:F4:F5',0,NULL,1,30000000000,1796025630000000000,0,1,31000000000,1796025631000000000,0,NULL,NULL,NULL,NULL,'open',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,0);
CREATE TABLE strap (
  address TEXT PRIMARY KEY,
  name TEXT, -- given by a person, as is the athlete
  athlete TEXT,
  device_name TEXT, -- what it calls itself; this and the next four as it last said
  manufacturer TEXT,
  model TEXT,
  firmware TEXT,
  serial TEXT,
  battery_percent INTEGER CHECK (battery_percent BETWEEN 0 AND 100),
  battery_told INTEGER, -- the lowest of the thresholds 20, 10, 5 that was told of, until the level is 5 above it
  last_seen_date INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO "strap" VALUES('F0:F1:F2:F3:F4:F5','Anna''s H10',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE workout (
  session INTEGER PRIMARY KEY REFERENCES session (number),
  activity TEXT NOT NULL,
  location TEXT NOT NULL,
  strap TEXT,
  boot INTEGER NOT NULL REFERENCES boot (number), -- of all ticks of the row
  start_tick INTEGER NOT NULL,
  start_date INTEGER NOT NULL,
  start_is_requested INTEGER NOT NULL,
  end_tick INTEGER NOT NULL,
  end_date INTEGER NOT NULL,
  end_is_requested INTEGER NOT NULL,
  end_reason TEXT NOT NULL,
  elapsed_nanoseconds INTEGER NOT NULL, -- running time
  wall_nanoseconds INTEGER NOT NULL, -- from start to end
  rr_count INTEGER NOT NULL,
  energy_kilojoules INTEGER,
  heart_rate_count INTEGER, -- this and those below are NULL where no sample counted
  heart_rate_minimum INTEGER,
  heart_rate_maximum INTEGER,
  heart_rate_average REAL,
  heart_rate_most_recent INTEGER,
  heart_rate_most_recent_tick INTEGER,
  heart_rate_covered_nanoseconds INTEGER,
  zone_nanoseconds TEXT, -- the time in each zone, lowest first; NULL without zones
  zones TEXT, -- where each zone but the first begins, in beats a minute
  discarded_date INTEGER, -- since when it is in the trash
  discarded_is_sure INTEGER -- whether the clock was known to be right then
) STRICT;
INSERT INTO "workout" VALUES(1,'running','outdoor','F0:F1:F2:F3:F4:F5',1,2000000000,1796025602000000000,1,20000000000,1796025620000000000,0,'user',18000000000,18000000000,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE workout_part (
  -- The laps and activities of a finished workout; their ticks are of the workout's boot.
  session INTEGER NOT NULL REFERENCES workout (session) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('lap', 'activity')),
  event INTEGER NOT NULL, -- the sequence number of the event that made it
  activity TEXT,
  location TEXT,
  label TEXT,
  start_tick INTEGER NOT NULL,
  start_date INTEGER NOT NULL,
  start_is_requested INTEGER NOT NULL,
  end_tick INTEGER NOT NULL,
  end_date INTEGER NOT NULL,
  end_is_requested INTEGER NOT NULL,
  elapsed_nanoseconds INTEGER NOT NULL, -- from here on as in workout
  wall_nanoseconds INTEGER NOT NULL,
  rr_count INTEGER NOT NULL,
  energy_kilojoules INTEGER,
  heart_rate_count INTEGER,
  heart_rate_minimum INTEGER,
  heart_rate_maximum INTEGER,
  heart_rate_average REAL,
  heart_rate_most_recent INTEGER,
  heart_rate_most_recent_tick INTEGER,
  heart_rate_covered_nanoseconds INTEGER,
  zone_nanoseconds TEXT,
  PRIMARY KEY (session, event)
) STRICT, WITHOUT ROWID;
INSERT INTO "workout_part" VALUES(1,'lap',9,NULL,NULL,NULL,2000000000,1796025602000000000,0,20000000000,1796025620000000000,0,18000000000,18000000000,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE INDEX live_session ON session (number) WHERE state <> 'ended';
CREATE INDEX event_of_session ON event (session);
CREATE INDEX workout_by_start ON workout (start_date, session) WHERE discarded_date IS NULL;
CREATE INDEX trash_by_start ON workout (start_date, session) WHERE discarded_date IS NOT NULL;
CREATE VIEW sample_dated AS
  SELECT session.id AS session, sequence,
    strftime('%Y-%m-%dT%H:%M:%fZ', (boot.wall + (sample.tick - boot.tick)) / 1e9, 'unixepoch') AS date,
    heart_rate, contact, energy_kilojoules, hex(rr) AS rr, warnings, is_repeat, hex(payload) AS payload
  FROM sample JOIN session ON session.number = sample.session JOIN boot ON boot.number = sample.boot;
CREATE VIEW event_dated AS
  SELECT session.id AS session, sequence,
    strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(about_date, date) / 1e9, 'unixepoch') AS date,
    kind, from_state, to_state, cause, event.end_reason, availability
  FROM event JOIN session ON session.number = event.session;
CREATE VIEW workout_dated AS
  SELECT session.id AS session, workout.activity, workout.location, workout.strap,
    strftime('%Y-%m-%dT%H:%M:%fZ', workout.start_date / 1e9, 'unixepoch') AS start,
    strftime('%Y-%m-%dT%H:%M:%fZ', workout.end_date / 1e9, 'unixepoch') AS "end",
    elapsed_nanoseconds / 1e9 AS elapsed_seconds, workout.end_reason, heart_rate_minimum, heart_rate_maximum,
    heart_rate_average, heart_rate_covered_nanoseconds / 1e9 AS covered_seconds, rr_count
  FROM workout JOIN session ON session.number = workout.session;
COMMIT;
PRAGMA application_id = 1398035012;
PRAGMA user_version = 1;

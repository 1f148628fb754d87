// The help, command by command.
extension Grammar {
  /// For argp: what stands above the options, a vertical tab, and what stands below them.
  var doc: StaticString {
    switch command {
    case nil:
      """
      Records workouts with a Bluetooth heart-rate strap, by way of strapd.\u{b}\
      Commands (each has its own --help):
        status        what strapd, Bluetooth, the straps and the sessions do
        create        make a session, without connecting anything yet
        prepare       connect the strap; the heart rate is shown, nothing counts
        start         begin the workout
        pause         go on without counting
        resume        count again
        stop          fix the end of the workout
        end           save the workout, and end the session
        cancel        stop a countdown, or the wait for the first heart rate
        lap           a lap since the last one
        mark          mark this moment
        begin-activity  begin an activity within the workout, of several
        end-activity  end it; the workout goes on
        discard       throw a workout away; the trash keeps it for 30 days
        trash         the workouts that were thrown away
        restore       take a workout out of the trash
        watch         print everything as it happens
        monitor       show live heart rate without a workout; nothing is saved
        scan          the straps that are near, by their signal
        straps        the straps that are known
        pair          pair a strap that answers only paired hosts
        name          say what a strap is called, and who wears it
        forget        remove all that is known of a strap, and the bond with it
        list          the finished workouts
        totals        the finished workouts, summed up by week, month or year
        show          one finished workout
        samples       all measurements of a workout
        edit          give a workout a title, notes, another activity or athlete
        trim          cut off the beginning or the end of a workout
        merge         make one workout of two
        split         make two workouts of one
        history       what was changed in a workout
        undo          undo the last change of a workout
        athletes      who wears straps, as far as there are profiles
        athlete       show or change an athlete's profile
        export        write workouts for other programs: FIT, TCX, CSV, JSON, RR
        import        bring workouts in from files of other programs
        backup        a copy of everything that is recorded, as one file
        verify        look through everything that is recorded, whether it is sound
        timings       how long strapd takes for what it does
        reset-energy  set the strap's own energy counter to zero
        bridge        carry a connection over stdin and stdout, for --host
        demo          a short workout with a simulated strap
        doctor        what keeps workouts from being recorded, and what to do

      A workout:
        strapctl prepare --activity running
        strapctl start --countdown 3
        strapctl end

      Exit status: 0 done, 1 refused (stderr says why), 2 no strapd answers, 64 wrong use.
      """
    case .status:
      """
      Prints what strapd, Bluetooth, the straps and the live sessions do.\u{b}\
      Where bluetoothd shows no adapter, the kernel's own list of Bluetooth controllers is printed too.

      Example: strapctl status
      """
    case .create:
      """
      Makes a session from an activity, a location and a strap, and connects nothing yet.\u{b}\
      Example: strapctl create --activity rowing --location indoor
      """
    case .prepare:
      """
      Connects the strap. The heart rate is shown, and nothing counts before the start.\u{b}\
      Without ID: prepares the only session that was made by 'create', if it is what the options say, or makes one.

      Example: strapctl prepare --activity running --location outdoor
      """
    case .start:
      """
      Begins the workout: now, at a past date, after a countdown, or with the first heart rate.\u{b}\
      Examples:
        strapctl start --countdown 3
        strapctl start --first-beat
        strapctl start --at 2026-11-30T09:10:11+01:00
      """
    case .pause:
      """
      Pauses the workout: the heart rate is shown and kept, and counts for nothing until 'resume'.\u{b}\
      Example: strapctl pause
      """
    case .resume:
      """
      Takes the paused workout up again.\u{b}\
      Example: strapctl resume
      """
    case .stop:
      """
      Fixes the end of the workout; there is no way back. 'end' saves it.\u{b}\
      Example: strapctl stop --at 2026-11-30T10:15:00Z
      """
    case .end:
      """
      Saves the workout and ends the session; returns when the workout is on the disk.\u{b}\
      A running workout is stopped first. A session that has not started is cancelled, and nothing is saved.

      Example: strapctl end
      """
    case .cancel:
      """
      Stops a countdown, or the wait for the first heart rate; the session stays prepared.\u{b}\
      Example: strapctl cancel
      """
    case .lap:
      """
      Notes a lap: since the last one, or since the start. In a stopped workout, until its end.\u{b}\
      Example: strapctl lap --label "second round"
      """
    case .mark:
      """
      Marks this moment of the workout.\u{b}\
      Example: strapctl mark --label "top of the hill"
      """
    case .beginActivity:
      """
      Begins an activity within the workout; one that is under way ends.\u{b}\
      Example: strapctl begin-activity --activity cycling --location outdoor
      """
    case .endActivity:
      """
      Ends the activity that is under way within the workout, which goes on.\u{b}\
      Example: strapctl end-activity
      """
    case .discard:
      """
      Throws a workout away, a running one or a finished one; the trash keeps it for 30 days.\u{b}\
      Example: strapctl discard 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f
      """
    case .trash:
      """
      Lists the workouts that were thrown away, newest first. 'restore' brings one back.\u{b}\
      Example: strapctl trash
      """
    case .restore:
      """
      Takes a workout out of the trash. 'strapctl trash' shows the ids.\u{b}\
      Example: strapctl restore 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f
      """
    case .watch:
      """
      Prints everything as it happens, one line an event, until ^C.\u{b}\
      Each line is written at once, for pipes too. With --since it goes on where an earlier watch has ended, by the \
      sequence number of the last event that it has printed.

      Examples:
        strapctl watch --json
        strapctl watch --csv --kind heartRate --rate 1s >heart-rates.csv
      """
    case .monitor:
      """
      Shows a strap's live heart rate without a workout, until ^C; nothing is saved.\u{b}\
      STRAP is an address or a name; there may be several. Without: the configured strap, else the one that is connected, \
      else the one with the strongest signal. A workout on the same strap shares the connection.

      Example: strapctl monitor F0:F1:F2:F3:F4:F5
      """
    case .list:
      """
      Lists the finished workouts, newest first.\u{b}\
      Examples:
        strapctl list --limit 10
        strapctl list --activity running --since 2026-11-01 --until 2026-12-01
      """
    case .totals:
      """
      Sums the finished workouts up by week (from Monday), month or year, in the local time of strapd's machine.\u{b}\
      Example: strapctl totals --by month --athlete Anna
      """
    case .show:
      """
      Prints one finished workout. 'strapctl list' shows the ids.\u{b}\
      Example: strapctl show 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f
      """
    case .samples:
      """
      Prints all measurements of a workout, finished or live: when each came, the heart rate, and the RR intervals in ms.\u{b}\
      Each line has its columns parted by tabs: date, seconds since the start, beats a minute, and the intervals parted by \
      spaces; with --series: date, seconds, value; with --every or --buckets: date and seconds where the bucket begins, \
      count, lowest, mean and highest value, and no line for a bucket without values. With --json: one object a line, \
      for a measurement with its octets as they came.

      Examples:
        strapctl samples 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f
        strapctl samples 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f --series rrIntervals
        strapctl samples 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f --buckets 1000
      """
    case .edit:
      """
      Changes what is said of a finished workout; 'undo' takes it back.\u{b}\
      Example: strapctl edit 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f --title "Hill repeats" --activity running
      """
    case .trim:
      """
      Cuts off the beginning or the end of a finished workout, and counts again what is left.\u{b}\
      The measurements stay in the store, and 'undo' brings them back.

      Examples:
        strapctl trim 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f --end 0:45:00
        strapctl trim 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f --start 2026-11-30T09:10:11+01:00
      """
    case .merge:
      """
      Makes one workout of two; the time between them is a pause.\u{b}\
      It has the first id, title and activity. 'undo' makes it two again.

      Example: strapctl merge 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f 1d0c7b5a-93e2-4f6b-a8d4-6c5e7f8091a2
      """
    case .split:
      """
      Makes two workouts of one; the second has a new id. 'undo' makes it one again.\u{b}\
      Example: strapctl split 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f --at 0:30:00
      """
    case .history:
      """
      Lists what was changed in a workout after the fact, oldest first.\u{b}\
      Example: strapctl history 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f
      """
    case .undo:
      """
      Undoes the last change of a workout that is not undone: an edit, a trim, a merge or a split.\u{b}\
      Example: strapctl undo 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f
      """
    case .athletes:
      """
      Lists the athletes of whom there is a profile.\u{b}\
      Example: strapctl athletes
      """
    case .athlete:
      """
      Shows or changes an athlete's profile. What is not said stays; an empty value takes it away.\u{b}\
      The first athlete is the default one, until another one is made that. 'strapctl name STRAP --athlete NAME' says who \
      wears a strap.

      Examples:
        strapctl athlete Anna --born 1988 --mass 62.5 --maximum 188
        strapctl athlete Anna --zones "115 135 150 165" --default
        strapctl athlete Anna --forget
      """
    case .verify:
      """
      Looks through everything that strapd has recorded, and prints what is wrong, a line a finding.\u{b}\
      Nothing is changed, and workouts go on. It reads all of the store, which may take minutes. strapd-verify.timer does it \
      each month. Without a running strapd, 'strapd --verify' does the same. With --json: one object a finding, and a last \
      one with sound and summary.

      Exit status: 0 nothing is wrong, 1 something is, or it could not be checked (stderr says why), 2 no strapd answers, \
      64 wrong use.

      Example: strapctl verify
      """
    case .export:
      """
      Writes finished workouts into files for other programs.\u{b}\
      fit for Garmin Connect, Strava, intervals.icu, GoldenCheetah and the like; tcx for what reads no FIT; csv for \
      spreadsheets, a line a measurement; rr for programs that look at heart-rate variability, a line an interval; json has \
      everything, and 'strapctl import' brings it back without loss.

      With --directory, all workouts of --since, --until and the like, or all of them with --all, get a file each, in place of \
      one of the same workout. With --follow, so does each workout that is finished from now on, and when it is \
      started again, each that was finished meanwhile: DIR/.strapd-exported.FORMAT says which were. One that is
      dated otherwise afterwards, since the clock was wrong, gets its file anew.

      Examples:
        strapctl export ID -o run.fit
        strapctl export --since 2026-11-01 --format tcx --directory november
        strapctl export --follow --directory exported
      """
    case .importing:
      """
      Brings finished workouts in from files.\u{b}\
      FIT and TCX files with heart rate, texts of RR intervals, the JSON files of 'strapctl export', and HCI logs; each is \
      recognised by what is in it. A workout that came in before is recognised and skipped, whatever its file is called; \
      where the file says more of it than the one that it came by, as the JSON does, it takes its place, unless the workout \
      was edited since. Nothing of a file is imported that cannot be read to its end, and it keeps no other from being imported; of an HCI log that \
      was cut off, what came before is.

      Examples:
        strapctl import old/*.fit
        strapctl import --btsnoop btsnoop_hci.log

      Exit status: 0 all is there, 1 something could not be imported (stderr says why), 2 no strapd answers, 64 wrong use.
      """
    case .backup:
      """
      Copies everything that strapd has recorded into one file, while workouts go on.\u{b}\
      FILE comes into its place when it is whole, checked and on the disk; '-' is the standard output. Its SHA-256 is \
      printed, as 'sha256sum FILE' prints it. FILE is an SQLite database; to go back to it, stop strapd, put it in the place of \
      strapd.db in strapd's state directory (/var/lib/strapd), without strapd.db-wal and strapd.db-shm, and give it to \
      strapd's user.

      Example: strapctl backup strapd-2026-11-30.db
      """
    case .scan:
      """
      Shows the straps that advertise near here, until ^C.\u{b}\
      On a terminal the list is drawn anew as it changes, the strongest signal first. Elsewhere there is one line for each \
      device when it comes, changes or goes. A name in brackets is the strap's own.

      Exit status: 0 done, 1 where no adapter has scanned (stderr says why), 2 no strapd answers, 64 wrong use.

      Example: strapctl scan --seconds 10
      """
    case .bridge:
      """
      Carries the octets of stdin to strapd's socket, and what it answers to stdout.\u{b}\
      It is what --host runs on the other machine; programs in any language can do the same.

      Example: printf '{"method":"io.strapd.GetStatus"}\\0' | strapctl bridge
      """
    case .timings:
      """
      Prints how long strapd takes for what it does, since it was started, as measured by itself.\u{b}\
      For each method that was called: until its answer was handed to the kernel, with what it waited for. For heart rates:
      from the bus until they were written and told. For turns: how long one kept everything else waiting.

      Example: strapctl timings
      """
    case .straps:
      """
      Lists the straps that are known: named by a person or in strapd.conf, or used before.\u{b}\
      A name in brackets is the strap's own. The battery is what was last read, the signal is shown while something scans.

      Example: strapctl straps
      """
    case .name:
      """
      Says what a strap is called, and who wears it. The name may stand wherever the strap's address may.\u{b}\
      STRAP is the address, or the name that it has. An empty NAME takes the name away.

      Examples:
        strapctl name F0:F1:F2:F3:F4:F5 "Anna's H10" --athlete Anna
        strapctl name "anna's h10" ""
      """
    case .forget:
      """
      Removes all that is known of a strap, and bluetoothd's bond with it.\u{b}\
      STRAP is its address or its name. A strap in use is not forgotten: end its session first. Workouts stay.

      Example: strapctl forget F0:F1:F2:F3:F4:F5
      """
    case .resetEnergy:
      """
      Sets the strap's own energy counter to zero. A workout's energy does not fall by it.\u{b}\
      Example: strapctl reset-energy --strap F0:F1:F2:F3:F4:F5
      """
    case .pair:
      """
      Pairs a strap that answers only paired hosts. Wear it, and wet its electrodes.\u{b}\
      Without STRAP those that are near are shown at the terminal, to choose from. What the strap insists on, a PIN or a
      number, is asked there too. ^C gives up.
      Exit status: 0 paired, 1 not paired (stderr says why), 2 no strapd answers, 64 wrong use.

      Examples:
        strapctl pair F0:F1:F2:F3:F4:F5
        strapctl pair --again mine
      """
    case .doctor:
      """
      Looks at everything that recording needs, from the Bluetooth controller to the disk, and says what to do.\u{b}\
      It changes and starts nothing, works without strapd, and tells more to root. Each finding is of one kind: ok, \
      note, warning, or problem, which keeps workouts from being recorded. With --json: one object a finding, with \
      id, severity, text and advice.

      Exit status: 0 nothing prevents recording, 1 something does.

      Example: strapctl doctor
      """
    case .demo:
      """
      Records a short workout with a simulated strap, prints it, and leaves nothing behind.\u{b}\
      It starts dbus-daemon, strap-sim and a strapd of its own in a temporary folder; neither Bluetooth nor root is \
      needed. strapd and strap-sim are looked for beside strapctl.

      Example: strapctl demo
      """
    }
  }
}

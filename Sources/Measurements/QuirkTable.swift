extension Quirk {
  /// Every quirk that is known. A new one comes with the address of a public report and a test that plays it.
  ///
  /// Models are named as the reports name them where nobody has published what the strap itself says; a name that no
  /// strap has does no harm.
  public static let table: [Quirk] = [
    Quirk(
      "garmin-hrm-dual-short-interval",
      Pattern(.prefix("Garmin"), [.prefix("HRM-Dual"), .prefix("HRM Dual"), .prefix("HRMDual"), .prefix("Dual")]),
      .leavesOutShortIntervals,
      seen: "behind the RR interval a second one follows that is no heart beat's: 1069 ticks, then 53, at 56 bpm",
      source:
        "https://forums.garmin.com/developer/connect-iq/f/discussion/319496/hrm-dual---extra-data-in-heart-rate-characteristic-data"
    ),
    Quirk(
      "polar-h7-connection-interval", Pattern(.prefix("Polar"), [.exact("H7"), .prefix("H7 "), .prefix("Polar H7")]),
      .explainsDropsByInterval,
      seen:
        "asks for a connection interval of 312.5 to 500 ms, and hangs up after 30 s where the host refuses (HCI 0x3b)",
      source: "https://github.com/IanHarvey/bluepy/issues/53"),
    Quirk(
      "polar-off-skin-disconnect",
      Pattern(.prefix("Polar"), [.prefix("H6"), .prefix("H7"), .prefix("H10"), .prefix("Polar H")]),
      .explainsDropsByContact,
      seen: "ends the connection when it has touched no skin for 20 to 30 s",
      source: "http://developer.polar.com/wiki/H6,_H7,_H10_and_OH1_Heart_rate_sensors"),
    Quirk(
      "polar-h10-changing-flags", Pattern(.prefix("Polar"), [.prefix("H10"), .prefix("Polar H10")]), .nothing,
      seen: "the flags differ from packet to packet: 0x10 with RR intervals, 0x00 without",
      source: "https://github.com/dvmarinoff/Auuki/issues/192"),
    Quirk(
      "polar-optical-off-skin",
      Pattern(
        .prefix("Polar"),
        [
          .prefix("OH1"), .prefix("Polar OH1"), .prefix("Verity"), .prefix("Polar Verity"), .prefix("Sense"),
          .prefix("Polar Sense"), .prefix("INW4J"), .prefix("Polar INW4J"), .prefix("360"), .prefix("Polar 360"),
        ]), .distrustsJumps,
      seen: "sends random heart rates off the skin, and does not say whether it touches skin",
      source: "https://github.com/polarofficial/polar-ble-sdk/issues/131"),
    Quirk(
      "topeak-descriptor-read", Pattern(.prefix("Topeak")), .readsDescriptorFirst,
      seen: "hangs up when notifications are switched on before a descriptor was read",
      source: "https://github.com/OpenTracksApp/OpenTracks/issues/782"),
    Quirk(
      "infinitime-zero", Pattern(.exact("PINE64"), [.exact("PineTime")]), .nothing,
      seen: "sends a heart rate of 0 where it finds no clean signal",
      source: "https://github.com/InfiniTimeOrg/InfiniTime/issues/1881"),
    Quirk(
      "whoop-battery-constant", Pattern(.prefix("WHOOP")), .distrustsBattery,
      seen: "its Battery Level says 100 % while the strap is nearly empty",
      source: "https://github.com/ryanbr/noop/issues/791"),
  ]
}

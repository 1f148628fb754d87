extension Interface {
  /// What there is to do with straps outside of sessions.
  static let straps = """
    # A strap that is known: by the configuration, because it was named, or because it was used. name and athlete are what
    # the configuration says, else what a person has said; deviceName is what it calls itself. batteryPercent is the last
    # level that was read, batteryUnreliable as for a Strap, rssi the signal in dBm while a scan hears it; bonded is absent while bluetoothd cannot be asked.
    # session uses it now, clients are those that hold its link without a session. lastSeenDate is when it was last
    # connected. configurationFile has a section for it.
    type KnownStrap (
      address: string,
      name: ?string,
      deviceName: ?string,
      athlete: ?string,
      manufacturer: ?string,
      model: ?string,
      firmwareRevision: ?string,
      serial: ?string,
      batteryPercent: ?int,
      batteryUnreliable: ?bool,
      rssi: ?int,
      connected: bool,
      bonded: ?bool,
      link: Link,
      session: ?string,
      clients: int,
      lastSeenDate: ?string,
      configurationFile: ?string
    )

    # A device that bluetoothd has in sight. name is what it calls itself, givenName what people call it, rssi its signal
    # in dBm while it is heard. heartRate says whether it has the Heart Rate Service, known whether ListStraps has it.
    type ScannedDevice (
      address: string,
      name: ?string,
      givenName: ?string,
      rssi: ?int,
      heartRate: bool,
      batteryPercent: ?int,
      connected: bool,
      bonded: bool,
      known: bool
    )

    # Scans until the client leaves, with more: by the adapter, else by the configured one, else by all. First come the devices that are in sight already, then
    # those that are new or have changed, for a changed signal alone at most once a second each; gone are the addresses of
    # those that bluetoothd has forgotten. all: devices without heart rate as well. advice says what keeps devices from
    # being heard, while something does.
    method Scan(all: ?bool, adapter: ?string) -> (devices: []ScannedDevice, gone: []string, advice: ?string)

    # Every known strap, by address.
    method ListStraps() -> (straps: []KnownStrap)

    # Says what a strap is called and who wears it; what is absent stays, what is empty is taken away. A name has 1 to 64
    # octets, is no other strap's whatever its case, and cannot be taken for an address.
    method NameStrap(strap: string, name: ?string, athlete: ?string) -> (strap: KnownStrap)

    # Removes what is known of a strap, and bluetoothd's bond with it. bondRemoved is absent where bluetoothd could not be
    # asked. A section of the configuration stays: configurationFile names its file.
    method ForgetStrap(strap: string) -> (strap: string, bondRemoved: ?bool, configurationFile: ?string)

    # No strap of this name or address is known; these names are.
    error UnknownStrap (strap: string, known: []string)

    # Another strap is called that, in whatever case.
    error NameTaken (name: string, strap: string)

    # The value of this parameter cannot be a name.
    error NameNotAllowed (parameter: string, value: string, allowed: string)

    # The configuration says it, and goes before what a client says: change it in this file.
    error SetInConfiguration (strap: string, parameter: string, file: string)

    # A client holds the strap's link.
    error StrapHeld (strap: string)

    """
}

import { type ConfigOf, integerFrom, optional } from '@signalbox/platform-runtime/config'

export const limitFields = {
  /** The number of sign-ups from all clients together. Default 10000. */
  signUps: optional(integerFrom(1, 1_000_000), 10_000),
  /**
   * The number of sign-ups from one client address. Clients behind a reverse proxy share the proxy's address. Default
   * 1000.
   */
  signUpsPerAddress: optional(integerFrom(1, 1_000_000), 1000),
  /** The number of messages to one e-mail address or phone number. Default 50. */
  messages: optional(integerFrom(1, 1_000_000), 50),
  /** The number of devices that ask to be connected, of all clients together. Default 3000. */
  devices: optional(integerFrom(1, 1_000_000), 3000),
  /** The number of devices that ask at one network address. Default 60. */
  devicesPerAddress: optional(integerFrom(1, 1_000_000), 60),
  /** The number of wrong device codes that users enter at one network address. Default 20. */
  deviceCodesPerAddress: optional(integerFrom(1, 1000), 20),
  /** The number of client documents that are fetched. Default 600. */
  documents: optional(integerFrom(1, 1_000_000), 600),
  /** The number of client documents that are fetched for one network address. Default 30. */
  documentsPerAddress: optional(integerFrom(1, 1_000_000), 30),
}

/** How much clients without credentials can make a pool do in an hour. Administrators have no such limits. */
export interface UserPoolLimitsConfig extends ConfigOf<typeof limitFields> {}

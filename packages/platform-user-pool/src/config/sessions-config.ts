import { type ConfigOf, integerFrom, optional } from '@signalbox/platform-runtime/config'

export const sessionFields = {
  /**
   * How many sessions with tokens a user can have. A sign-in beyond it ends the session that was not used for the
   * longest time. Default 20.
   */
  most: optional(integerFrom(1, 100), 20),
}

/** What a pool knows about the sessions of its users. */
export interface SessionsConfig extends ConfigOf<typeof sessionFields> {}

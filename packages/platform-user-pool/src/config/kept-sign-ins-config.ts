import { type ConfigOf, days, integerFrom, optional } from '@signalbox/platform-runtime/config'

export const sessionFields = {
  /**
   * How many sessions with tokens a user can have. A sign-in beyond it ends the session that was not used for the
   * longest time. Default 20.
   */
  most: optional(integerFrom(1, 100), 20),
}

/** What a pool knows about the sessions of its users. */
export interface SessionsConfig extends ConfigOf<typeof sessionFields> {}

const mostDays = 730

/** The longest time in milliseconds for which a pool keeps a sign-in. */
export const longestHistory = mostDays * 24 * 3_600_000

export const historyFields = {
  /** How many days a sign-in is kept. Default 30. */
  days: optional(days(1, mostDays), 30),
}

/** For how long a pool keeps the sign-ins of its users. */
export interface HistoryConfig extends ConfigOf<typeof historyFields> {}

import { type ConfigOf, days, optional } from '@signalbox/platform-runtime/config'

const mostDays = 730

/** The longest time in milliseconds for which a pool keeps a sign-in. */
export const longestHistory = mostDays * 24 * 3_600_000

export const historyFields = {
  /** How many days a sign-in is kept. Default 30. */
  days: optional(days(1, mostDays), 30),
}

/** For how long a pool keeps the sign-ins of its users. */
export interface HistoryConfig extends ConfigOf<typeof historyFields> {}

/** The number of wrong passwords in a row that do not lock an account. */
const free = 5
/** The maximum lock time of an account in milliseconds. Wrong passwords are forgotten after the same time. */
export const longestLock = 15 * 60_000

/** Returns how many milliseconds an account is locked after a number of wrong passwords in a row. */
export function lockTime(wrong: number): number {
  return wrong < free ? 0 : Math.min(1000 * 2 ** (wrong - free), longestLock)
}

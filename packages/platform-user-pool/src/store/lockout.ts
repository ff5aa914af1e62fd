/** The number of wrong passwords in a row that have no effect. */
const free = 5
/** The longest lock of an account, in milliseconds. Wrong passwords are forgotten after the same time. */
export const longestLock = 15 * 60_000

/** Returns the milliseconds for which an account is locked after a number of wrong passwords in a row. */
export function lockTime(wrong: number): number {
  return wrong < free ? 0 : Math.min(1000 * 2 ** (wrong - free), longestLock)
}

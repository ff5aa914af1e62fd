/** The number of consecutive wrong passwords that do not lock an account. */
const free = 5
/** The maximum time in milliseconds for which an account is locked. Wrong passwords are forgotten after this time. */
export const longestLock = 15 * 60_000

/** Returns for how many milliseconds an account is locked after a number of consecutive wrong passwords. */
export function lockTime(wrong: number): number {
  return wrong < free ? 0 : Math.min(1000 * 2 ** (wrong - free), longestLock)
}

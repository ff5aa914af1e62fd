/** Wrong passwords in a row that have no effect. */
const free = 5
/** Milliseconds for which an account is locked at most, and after which wrong passwords are forgotten. */
export const quietTime = 15 * 60_000

/** Milliseconds for which an account is locked after so many wrong passwords in a row. */
export function lockTime(wrong: number): number {
  return wrong < free ? 0 : Math.min(1000 * 2 ** (wrong - free), quietTime)
}

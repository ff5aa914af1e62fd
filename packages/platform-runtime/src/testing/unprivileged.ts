/**
 * Runs work as a user without root's rights, because no file is read-only for root. The work has
 * to be done when it returns.
 */
export function unprivileged<T>(work: () => T): T {
  if (process.geteuid?.() !== 0) return work()
  const nobody = 65534
  process.seteuid!(nobody)
  try {
    return work()
  } finally {
    process.seteuid!(0)
  }
}

/** Runs work as a user without root privileges, because root can write to every file. The work must be synchronous. */
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

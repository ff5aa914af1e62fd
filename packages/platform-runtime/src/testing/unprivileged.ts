/**
 * Does work as a user who may not write everywhere: tests may be run by root, for whom no file is read-only. The work has
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

/** Time with fractions of milliseconds, because much work takes less than one. */
export const clock = {
  wall: () => Date.now(),
  now: () => {
    const [seconds, nanoseconds] = process.hrtime()
    return seconds * 1000 + nanoseconds / 1_000_000
  },
  after(ms: number, run: () => void) {
    // A process need not stay for this.
    const timer = setTimeout(run, ms).unref()
    return () => clearTimeout(timer)
  },
}

let stop: AbortController | undefined

/** Returns a signal that aborts at the first SIGINT, SIGTERM or SIGHUP. The second signal ends the process at once. */
export function stopSignal(): AbortSignal {
  if (stop === undefined) {
    const asked = new AbortController()
    stop = asked
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (asked.signal.aborted) process.exit(130)
        asked.abort()
      })
    }
  }
  return stop.signal
}

let stop: AbortController | undefined

/** Aborted at the first SIGINT or SIGTERM. At the second the process exits at once: whoever asks twice will not wait. */
export function stopSignal(): AbortSignal {
  if (stop === undefined) {
    const asked = new AbortController()
    stop = asked
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (asked.signal.aborted) process.exit(130)
        asked.abort()
      })
    }
  }
  return stop.signal
}

const mostCauses = 5

/** An error with its causes in words, for log lines and for people in development. Anything may have been thrown. */
export function errorText(error: unknown, causesLeft: number = mostCauses): string {
  try {
    if (!(error instanceof Error)) return String(error)
    const own = error.stack ?? error.message
    if (error.cause === undefined || causesLeft === 0) return own
    return `${own}\ncaused by: ${errorText(error.cause, causesLeft - 1)}`
  } catch {
    return 'something that has no text was thrown'
  }
}

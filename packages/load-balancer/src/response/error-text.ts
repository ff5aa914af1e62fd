const mostCauses = 5

/**
 * Describes any thrown value and its causes, for logs and for responses in development.
 */
export function errorText(error: unknown, causesLeft: number = mostCauses): string {
  try {
    if (!(error instanceof Error)) return String(error)
    const own = error.stack ?? error.message
    if (error.cause === undefined || causesLeft === 0) return own
    return `${own}\ncaused by: ${errorText(error.cause, causesLeft - 1)}`
  } catch {
    return 'a value without a text was thrown'
  }
}

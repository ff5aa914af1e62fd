let hasSpoken = false

/**
 * Runs work that must not fail an invocation. When it throws, the first time is said on stderr, without the text of the error,
 * which may hold a secret.
 */
export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (!hasSpoken)
      process.stderr.write(
        `telemetry: an event could not be recorded (${error instanceof Error ? error.name : 'error'})\n`,
      )
    hasSpoken = true
    return undefined
  }
}

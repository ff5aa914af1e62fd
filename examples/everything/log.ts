/** Writes a log line to standard error if `LOG=1` is set. */
export function log(entry: unknown): void {
  if (process.env.LOG) console.error(JSON.stringify(entry))
}

/** The paths of the fields that must not be logged. */
export const secretPaths = [
  'event.request.password',
  'event.request.code',
  'event.request.challengeAnswer',
  'event.request.privateChallengeParameters',
  'event.headers.cookie',
  'event.headers.authorization',
  'event.multiValueHeaders.cookie',
  'event.multiValueHeaders.authorization',
  'response.response.privateChallengeParameters',
]

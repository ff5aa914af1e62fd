/** Writes a log line to standard error if `LOG=1` is set. */
export function log(entry: unknown): void {
  if (process.env.LOG) console.error(JSON.stringify(entry))
}

/** The fields that log lines must not show. */
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

/** Where log lines go: nowhere, unless `LOG=1` asks for them on the error output. */
export function log(entry: unknown): void {
  if (process.env.LOG) console.error(JSON.stringify(entry))
}

/** What no log line may show. */
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

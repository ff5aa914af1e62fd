import type { IncomingMessage } from 'node:http'
import type { HeaderText } from './event-text.ts'

/** The head of a request that was not refused, as far as others may have the same: most clients repeat themselves. */
export interface Known {
  readonly raw: readonly string[]
  readonly minor: number
  readonly headers: HeaderText
  /** What the client says in `x-cloud-trace-id`. */
  readonly trace: string | undefined
  /** Whether nothing in it looks like a secret. */
  readonly secretFree: boolean
}

/** Characters of header lines that are worth keeping for as long as a connection is there. */
const headSizeLimit = 4096

/** Whether a request has the very header lines of an earlier one. */
export function isKnown({ rawHeaders, httpVersionMinor }: IncomingMessage, { raw, minor }: Known): boolean {
  if (rawHeaders.length !== raw.length || httpVersionMinor !== minor) return false
  for (let i = 0; i < raw.length; i++) if (rawHeaders[i] !== raw[i]) return false
  return true
}

/** What may be kept of a head, so that many connections do not keep much. */
export function keepable(known: Known): Known | undefined {
  return known.headers.text.length <= headSizeLimit ? known : undefined
}

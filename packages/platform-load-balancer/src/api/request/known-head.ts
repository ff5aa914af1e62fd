import type { IncomingMessage } from 'node:http'
import type { HeaderLine } from './header-lines.ts'

/** The head of an accepted request. It is kept because most clients send the same head again. */
export interface Known {
  readonly raw: readonly string[]
  readonly minor: number
  readonly lines: readonly HeaderLine[]
  /** The client's `x-cloud-trace-id`. */
  readonly trace: string | undefined
  /** The client's `traceparent`. */
  readonly traceparent: string | undefined
  /** What gave the lines their names: the dialect of the function. */
  readonly contractName: ((name: string) => string) | undefined
}

/** The maximum number of characters of a head that a connection keeps. */
const headSizeLimit = 4096

/** Returns whether a request has the same header lines as an earlier one. */
export function hasSameHeaders(
  { rawHeaders, httpVersionMinor }: IncomingMessage,
  { raw, minor }: Known,
): boolean {
  if (rawHeaders.length !== raw.length || httpVersionMinor !== minor) return false
  for (let i = 0; i < raw.length; i++) if (rawHeaders[i] !== raw[i]) return false
  return true
}

/** Returns the head if it is small enough to be kept for each connection. */
export function keepable(known: Known): Known | undefined {
  return known.raw.reduce((size, text) => size + text.length, 0) <= headSizeLimit ? known : undefined
}

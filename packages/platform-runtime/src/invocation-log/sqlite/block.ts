import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Failure, LogLine } from '../../invoker/invoker.ts'
import type { InvocationLogEntry } from '../entry.ts'

/** An entry without an id, which it gets when it is written. */
export type UnnumberedEntry = Omit<InvocationLogEntry, 'id'>

/** The fields that are mostly the same in successive entries. */
export type About = readonly [
  functionName: string,
  source: string,
  family: string | null,
  attempt: number,
  generation: number,
  masked: boolean,
  failure: Failure | null,
  verdict: NonNullable<InvocationLogEntry['verdict']> | null,
]

/** The first line of an entry. The event, the payload and the logs follow without quoting, which would cost time. */
type FirstLine = readonly [
  started: number,
  duration: number,
  requestId: string,
  eventLength: number,
  payloadLength: number,
  logsLength: number,
  about: About,
]

/** The approximate size of an entry without its strings, in bytes. */
const ownSize = 200

/** Returns the size of an entry, in bytes. */
export function sizeOf(event: string, payload: string, logs: string): number {
  return ownSize + event.length + payload.length + logs.length
}

/** Returns the logs of an entry as text. */
export function logsText(logs: readonly LogLine[]): string {
  return logs.length === 0 ? '' : JSON.stringify(logs)
}

/** An entry of a block. */
export interface Kept {
  readonly entry: UnnumberedEntry
  /** The size in bytes. */
  readonly size: number
}

/** Returns the entries in the text of a block. */
export function entriesIn(text: string): readonly Kept[] {
  const entries: Kept[] = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const line = JSON.parse(text.slice(at, end)) as FirstLine
    const [started, duration, requestId, eventLength, payloadLength, logsLength, about] = line
    const [functionName, source, family, attempt, generation, masked, failure, verdict] = about
    at = end + 1
    const [event, payload, logs] = [eventLength, payloadLength, logsLength].map(length => {
      const part = text.slice(at, at + length)
      at += length + 1
      return part
    }) as [string, string, string]
    const entry = {
      requestId,
      functionName,
      source,
      family: family ?? undefined,
      attempt,
      generation,
      started,
      duration,
      event,
      payload,
      failure: failure ?? undefined,
      verdict: verdict ?? undefined,
      logs: logs === '' ? [] : (JSON.parse(logs) as LogLine[]),
      masked,
    }
    entries.push({ entry, size: sizeOf(event, payload, logs) })
  }
  return entries
}

// The fastest setting of Brotli. Events of one function are similar, so packing takes less time than it saves when the
// block is written, even on a fast disk.
const quickest = { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } }

/** Returns the text of a block in its stored form. */
export function pack(text: Uint8Array): Uint8Array {
  return brotliCompressSync(text, quickest)
}

/** Returns the text of a stored block. */
export function unpack(packed: Uint8Array): string {
  return brotliDecompressSync(packed).toString()
}

import type { NewInvocationLogEntry } from '../entry.ts'
import { type Severity, severityOf } from '../severity.ts'
import { type About, logsText, sizeOf } from './block.ts'
import { type About as IndexAbout, type Segment, segmentWriter } from './segment.ts'

/** An entry to write. `masked` is set if a part of the entry was masked. */
type Unwritten = NewInvocationLogEntry & { readonly masked?: boolean }

/** The entries of a block, joined into one text. */
export interface Gathered {
  /** The text in UTF-8. */
  readonly text: Uint8Array
  readonly count: number
  /** The size of the entries, in bytes. */
  readonly size: number
  /** The latest start among the entries. */
  readonly newest: number
  readonly functions: readonly string[]
  /** The index of the entries, for searches. */
  readonly segment: Segment
}

/** The number of entries in a full block. */
const entriesPerBlock = 500

/** The number of bytes in a full block. */
const bytesPerBlock = 512 * 1024

/** Collects the entries of a block as text in one buffer, so that their objects can be freed. */
export interface BlockWriter {
  readonly add: (entry: Unwritten) => void
  readonly empty: boolean
  readonly full: boolean
  /**
   * Returns the entries that were added since the last call. At least one entry must have been added. The text is valid
   * until the next `add`.
   */
  readonly take: () => Gathered
}

/** Returns an empty writer. */
export function blockWriter(): BlockWriter {
  const aboutOf = aboutWriter()
  const segment = segmentWriter()
  // The buffer is allocated with the first entry, so that an idle platform needs little memory.
  let buffer = Buffer.alloc(0)
  let used = 0
  let count = 0
  let size = 0
  let newest = 0
  let functions = new Set<string>()
  let latest: string | undefined

  return {
    add(entry) {
      const { event, payload, started, duration, functionName } = entry
      const logs = logsText(entry.logs)
      const about = aboutOf(entry)
      segment.add(started, duration, about.inIndex)
      const text = `[${started},${duration},${JSON.stringify(entry.requestId)},${event.length},${payload.length},${logs.length},${about.inBlock}]\n${event}\n${payload}\n${logs}\n`
      // A character of a string takes at most three bytes in UTF-8.
      if (used + text.length * 3 > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(used + text.length * 3, bytesPerBlock * 1.25))
        buffer.copy(larger, 0, 0, used)
        buffer = larger
      }
      used += buffer.write(text, used)
      count++
      size += sizeOf(event, payload, logs)
      if (started > newest || count === 1) newest = started
      if (functionName !== latest) {
        functions.add(functionName)
        latest = functionName
      }
    },
    get empty() {
      return count === 0
    },
    get full() {
      return count >= entriesPerBlock || used >= bytesPerBlock
    },
    take() {
      const text = buffer.subarray(0, used)
      // A clock may return fractions, but the column holds integers.
      const gathered = {
        text,
        count,
        size,
        newest: Math.ceil(newest),
        functions: [...functions],
        segment: segment.take(),
      }
      if (buffer.length > 2 * bytesPerBlock) buffer = Buffer.alloc(0)
      used = 0
      count = 0
      size = 0
      functions = new Set()
      latest = undefined
      return gathered
    },
  }
}

/**
 * The fields that are mostly the same in successive entries, as JSON. The block contains all of them, and its index
 * contains some.
 */
interface AboutTexts {
  readonly inBlock: string
  readonly inIndex: string
}

/**
 * Returns a function that writes these fields as JSON, and reuses the JSON of the previous entry if the fields are
 * equal.
 */
function aboutWriter(): (entry: Unwritten) => AboutTexts {
  let made: About | undefined
  let madeSeverity: Severity | undefined
  let texts: AboutTexts = { inBlock: '', inIndex: '' }
  return entry => {
    const severity = severityOf(entry)
    if (made === undefined || severity !== madeSeverity || !isAbout(entry, made)) {
      madeSeverity = severity
      const { functionName, source, family, attempt, generation, masked = false, failure, verdict } = entry
      made = [
        functionName,
        source,
        family ?? null,
        attempt,
        generation,
        masked,
        failure ?? null,
        verdict ?? null,
      ]
      const { kind = null, ok = false } = verdict ?? {}
      const indexed: IndexAbout = [
        functionName,
        source,
        family ?? null,
        generation,
        kind,
        ok ? 1 : 0,
        severity,
      ]
      texts = { inBlock: JSON.stringify(made), inIndex: JSON.stringify(indexed) }
    }
    return texts
  }
}

function isAbout(
  { functionName, source, family, attempt, generation, masked = false, failure, verdict }: Unwritten,
  about: About,
): boolean {
  return (
    functionName === about[0] &&
    source === about[1] &&
    (family ?? null) === about[2] &&
    attempt === about[3] &&
    generation === about[4] &&
    masked === about[5] &&
    failure === undefined &&
    about[6] === null &&
    (verdict === undefined
      ? about[7] === null
      : about[7] !== null &&
        verdict.kind === about[7].kind &&
        verdict.ok === about[7].ok &&
        verdict.text === about[7].text)
  )
}

import type { DatabaseSync } from 'node:sqlite'
import { mayHoldSecret } from '../../masking/mask.ts'
import { databaseFiles, hasDatabase } from '../../storage/database-files.ts'
import { freeSpaceOf } from '../../storage/free-space.ts'
import { logTime } from '../../storage/log-time.ts'
import type { InvocationLogEntry, NewInvocationLogEntry } from '../entry.ts'
import type { InvocationLog, InvocationLogOptions, InvocationLogReader } from '../invocation-log.ts'
import { minimalEntry, trimmedEntry } from '../trimmed-entry.ts'
import { entriesIn, unpack } from './block.ts'
import { blockPacker } from './block-packer.ts'
import { blockTable } from './block-table.ts'
import { blockWriter } from './block-writer.ts'
import type { Block } from './packed-block.ts'

/** The name of the log's database in a data directory. */
export const invocationLogDatabase = 'invocation-log'

/** Milliseconds that an entry waits for further entries, because one large block is cheaper than many small ones. */
const flushDelay = 25

/** When more bytes than this wait to be packed, entries are shortened. */
const trimAbove = 4 * 1024 * 1024

/** When more bytes than this wait to be packed, entries are dropped. */
const dropAbove = 16 * 1024 * 1024

/** The maximum length in characters of a payload that is searched for secrets before its block is masked. */
const quickSearchLimit = 4096

/** The number of bytes, at least, of the oldest entries that make place for new ones on a disk that is nearly full. */
const leastFreed = 1024 * 1024

/** Milliseconds between two searches for entries that are too old. */
const ageCheckInterval = 60_000

/**
 * Opens the invocation log in a SQLite database.
 * @throws UnknownLayoutError when a later version wrote it, and DamagedFileError when it is damaged
 */
export function localInvocationLog(
  database: DatabaseSync,
  { limits, clock, onWritten, notice }: InvocationLogOptions,
  measure = freeSpaceOf,
): InvocationLog {
  const table = blockTable(database, notice, measure)
  const gathering = blockWriter()
  let suspicious = false
  let unsearched = ''
  let latestPayload = ''
  let cancelFlush: (() => void) | undefined
  let size = table.size()
  let lastAgeCheck = Number.NEGATIVE_INFINITY
  let failing = false
  let closed = false

  const watchers = new Set(onWritten === undefined ? [] : [onWritten])

  // Catches errors of watchers, because an uncaught error in a timer of the log would end the process.
  const notifyWritten = (entry: InvocationLogEntry) => {
    for (const watcher of [...watchers]) {
      try {
        watcher(entry)
      } catch (error) {
        notice(`onInvocation failed: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }

  const prune = () => {
    const now = clock.now()
    // The clock may have been set back.
    if (Math.abs(now - lastAgeCheck) >= ageCheckInterval) {
      size -= table.deleteBefore(logTime(clock) - limits.age, now)
      lastAgeCheck = now
    }
    // Frees a tenth of the limit at once, so that space need not be freed again for the next block.
    while (size > limits.size) {
      const freed = table.deleteOldest(size - limits.size * 0.9, size - limits.size)
      if (freed === 0) break
      size -= freed
    }
  }

  const store = (block: Block) => {
    let first: number
    try {
      // When this does not help, the log stays as it is until there is space.
      if (!failing && !table.hasSpaceFor(block))
        size -= table.deleteOldest(Math.max(size / 10, leastFreed), 0)
      first = table.insert(block)
      size += block.size
      prune()
      failing = false
    } catch (error) {
      return reportLoss((error as Error).message)
    }
    if (watchers.size === 0) return
    for (const [position, { entry }] of entriesIn(unpack(block.packed)).entries())
      notifyWritten({ ...entry, id: first + position })
  }

  const reportLoss = (why: string) => {
    if (!failing) notice(`The invocation log cannot be written, and misses entries: ${why}`)
    failing = true
  }

  const packer = blockPacker(store, reportLoss)

  const pack = () => {
    cancelFlush?.()
    cancelFlush = undefined
    if (gathering.empty) return
    packer.pack({ ...gathering.take(), suspicious, unsearched })
    suspicious = false
    unsearched = ''
    latestPayload = ''
  }

  const flushNow = () => {
    if (closed) throw new Error('The invocation log is closed: its platform has stopped.')
    pack()
    packer.finish()
  }

  return {
    append(entry) {
      if (packer.waiting > dropAbove) return reportLoss('more of them come than can be packed')
      const trimmed = packer.waiting > trimAbove ? minimalEntry(entry) : trimmedEntry(entry)
      suspicious ||= !isSecretFreeBesidesPayload(trimmed)
      // Many payloads equal the previous one, such as those of health checks and of batches without failures.
      if (!suspicious && trimmed.payload !== latestPayload) {
        latestPayload = trimmed.payload
        unsearched += `${latestPayload}\n`
      }
      gathering.add(trimmed)
      if (gathering.full) pack()
      else cancelFlush ??= clock.after(flushDelay, pack)
    },
    async list(query = {}) {
      flushNow()
      return table.list(query)
    },
    async get(id) {
      flushNow()
      return table.get(id)
    },
    async search(search) {
      flushNow()
      return table.search(search)
    },
    async scan(span, visit) {
      flushNow()
      table.scan(span, visit)
    },
    async flush() {
      flushNow()
    },
    watch(watcher) {
      const own = (entry: InvocationLogEntry) => watcher(entry)
      watchers.add(own)
      return () => watchers.delete(own)
    },
    async close() {
      flushNow()
      packer.close()
      closed = true
      database.close()
    },
  }
}

/**
 * Opens the log of a data directory for a command, even while a platform is writing to it. Returns undefined if nothing
 * has been logged there yet.
 * @param notice is called with a sentence about damaged entries
 */
export async function readLocalInvocationLog(
  dataDir: string,
  notice: (text: string) => void,
): Promise<InvocationLogReader | undefined> {
  if (!hasDatabase(dataDir, invocationLogDatabase)) return undefined
  const database = databaseFiles(dataDir).open(invocationLogDatabase)
  const table = blockTable(database, notice)
  return {
    list: async (query = {}) => table.list(query),
    get: async id => table.get(id),
    search: async search => table.search(search),
    scan: async (span, visit) => table.scan(span, visit),
    close: async () => database.close(),
  }
}

// Most verdicts equal the previous one.
let secretFreeVerdict = ''

function isSecretFreeVerdict(text: string): boolean {
  if (text === secretFreeVerdict) return true
  if (mayHoldSecret(text)) return false
  secretFreeVerdict = text
  return true
}

/** Returns whether a quick check shows that only the payload of an entry may contain a secret. */
function isSecretFreeBesidesPayload({
  secretFree,
  payload,
  failure,
  verdict,
  logs,
}: NewInvocationLogEntry): boolean {
  return (
    secretFree === true &&
    failure === undefined &&
    logs.length === 0 &&
    payload.length <= quickSearchLimit &&
    (verdict === undefined || isSecretFreeVerdict(verdict.text))
  )
}

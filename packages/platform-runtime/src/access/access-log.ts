import type { Clock } from '@signalbox/core'
import type { AccessLog, AccessRecord } from './access-record.ts'
import { type AccessLogCount, type AccessLogTable, minuteOf } from './access-tables.ts'

/** Milliseconds that a record waits before it is written. */
const flushDelay = 1000

/**
 * The maximum number of different records that wait to be written. Further records are combined into one record without
 * details.
 */
const variety = 2000

const textLimit = 256

interface Counted {
  readonly record: AccessRecord
  readonly minute: number
  first: number
  last: number
  count: number
}

/**
 * Creates an access log, which gathers records and writes them. Records that cannot be written stay in memory until
 * the next attempt.
 * @param table undefined before the platform has started
 */
export function accessLog(
  table: () => AccessLogTable | undefined,
  { clock, notice }: { readonly clock: Clock; readonly notice: (text: string) => void },
): AccessLog {
  let gathered = new Map<string, Counted>()
  // Clients often repeat an operation. Comparing a record with the latest one is three times as fast as building its
  // key.
  let latest = new Map<string, Counted>()
  let cancel: (() => void) | undefined
  let writing: Promise<void> | undefined
  let isFailing = false
  let closed = false

  const counted = (record: AccessRecord, minute: number): Counted => {
    const recent = latest.get(record.operation)
    if (recent?.minute === minute && isEqual(recent.record, record)) return recent
    const kept =
      gathered.size < variety
        ? record
        : { ...record, identity: undefined, resource: undefined, address: 'several' }
    const { identity = '', source, operation, resource = '', result, address } = kept
    const name = `${identity}\n${source}\n${operation}\n${resource}\n${result}\n${address}\n${minute}`
    const found = gathered.get(name) ?? { record: kept, minute, first: Infinity, last: 0, count: 0 }
    gathered.set(name, found)
    latest.set(operation, found)
    return found
  }

  const gather = (record: AccessRecord, first: number, last: number, count: number) => {
    const same = counted(record, minuteOf(first))
    same.count += count
    same.first = Math.min(same.first, first)
    same.last = Math.max(same.last, last)
  }

  const writeAll = async () => {
    const to = table()
    if (to === undefined || gathered.size === 0) return
    const all = [...gathered.values()]
    gathered = new Map()
    latest = new Map()
    try {
      await to.write(all.map(countOf))
      isFailing = false
    } catch (error) {
      if (!isFailing) notice(`The access log cannot be written now: ${(error as Error).message}`)
      isFailing = true
      for (const { record, first, last, count } of all) gather(record, first, last, count)
    }
  }

  const write = (): Promise<void> => {
    cancel?.()
    cancel = undefined
    writing ??= writeAll().finally(() => {
      writing = undefined
      // Records that arrived during the write, or could not be written, need another write.
      if (gathered.size > 0 && !closed) cancel ??= clock.after(flushDelay, write)
    })
    return writing
  }

  const flush = async () => {
    await writing
    await write()
  }

  return {
    add(record) {
      const now = clock.wall()
      gather(record, now, now, 1)
      cancel ??= clock.after(flushDelay, write)
    },
    async read(query) {
      await flush()
      return (await table()?.read(query)) ?? []
    },
    async close() {
      closed = true
      await flush()
    },
  }
}

function isEqual(one: AccessRecord, other: AccessRecord): boolean {
  return (
    one.identity === other.identity &&
    one.source === other.source &&
    one.operation === other.operation &&
    one.resource === other.resource &&
    one.result === other.result &&
    one.address === other.address
  )
}

function countOf({ record, first, last, count }: Counted): AccessLogCount {
  return {
    ...record,
    operation: record.operation.slice(0, textLimit),
    resource: record.resource?.slice(0, textLimit),
    ...{ first, last, count },
  }
}

import { afterEach, describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import type {
  InvocationLogEntry,
  InvocationLogQuery,
  NewInvocationLogEntry,
} from '../invocation-log/entry.ts'
import type { InvocationLog, InvocationLogOptions } from '../invocation-log/invocation-log.ts'
import { isEventOmitted, loggedPayloadLimit } from '../invocation-log/trimmed-entry.ts'

/** A log under test. */
export interface OpenedInvocationLog {
  readonly log: InvocationLog
  /** Opens the same log a second time, as another process does. */
  readonly openAgain: (options: InvocationLogOptions) => Promise<InvocationLog>
  /** Deletes the data of the closed log. */
  readonly end: () => Promise<void>
}

const day = 24 * 60 * 60 * 1000

/** An invocation without secrets that succeeded. */
export const loggedEntry: NewInvocationLogEntry = {
  requestId: 'r-1',
  functionName: 'shop',
  source: 'load balancer web',
  family: 'load-balancer',
  attempt: 1,
  generation: 1,
  started: 0,
  duration: 3,
  event: '{"path":"/"}',
  payload: '{"statusCode":200}',
  failure: undefined,
  verdict: { kind: 'answered', ok: true, text: '200 OK' },
  logs: [],
}

/** Options of a log, with changes by a test. */
export function logOptions({
  size = 1e6,
  age = 7 * day,
  ...rest
}: Partial<InvocationLogOptions> & {
  readonly size?: number
  readonly age?: number
} = {}): InvocationLogOptions {
  return { limits: { size, age }, clock: manualClock(), notice: () => {}, ...rest }
}

const kilobyte = (more: Partial<NewInvocationLogEntry> = {}) => ({
  ...loggedEntry,
  event: JSON.stringify('x'.repeat(1000)),
  ...more,
})

/**
 * The shared suite of the storage port of invocations: each engine passes it.
 * @param engine the name of the engine
 * @param open opens a log without entries
 */
export function invocationLogSuite(
  engine: string,
  open: (options: InvocationLogOptions) => Promise<OpenedInvocationLog>,
): void {
  describe(`an invocation log of ${engine}`, () => {
    const opened: OpenedInvocationLog[] = []
    const logs: InvocationLog[] = []

    const openLog = async (options: Parameters<typeof logOptions>[0] = {}): Promise<InvocationLog> => {
      const next = await open(logOptions(options))
      opened.push(next)
      logs.push(next.log)
      return next.log
    }
    const openAgain = async (options: Parameters<typeof logOptions>[0] = {}): Promise<InvocationLog> => {
      const log = await opened.at(-1)!.openAgain(logOptions(options))
      logs.push(log)
      return log
    }
    const idsOf = async (log: InvocationLog, query?: InvocationLogQuery) =>
      (await log.list(query)).map(({ id }) => id)

    afterEach(async () => {
      for (const log of logs.splice(0)) await log.close().catch(() => {})
      for (const { end } of opened.splice(0)) await end()
    })

    it('lists the appended entries in order, with ids from 1', async () => {
      const log = await openLog()
      const failed: NewInvocationLogEntry = {
        ...loggedEntry,
        family: undefined,
        payload: '',
        failure: { kind: 'timeout', message: 'too late' },
        verdict: undefined,
        logs: [{ stream: 'err', text: 'é' }],
      }
      log.append(loggedEntry)
      log.append(failed)
      expect(await log.list()).toEqual([
        { ...loggedEntry, id: 1, masked: false },
        { ...failed, id: 2, masked: false },
      ])
    })

    it('gets one entry by its id', async () => {
      const log = await openLog()
      for (const requestId of ['r-1', 'r-2']) log.append({ ...loggedEntry, requestId })
      expect(await log.get(2)).toEqual({ ...loggedEntry, requestId: 'r-2', id: 2, masked: false })
      expect(await log.get(3)).toBeUndefined()
      expect(await log.get(0)).toBeUndefined()
    })

    it('lists the last entries, those of one function, and those after an id', async () => {
      const log = await openLog()
      for (const functionName of ['a', 'b', 'a', 'b', 'a']) log.append({ ...loggedEntry, functionName })
      expect(await idsOf(log, { last: 2 })).toEqual([4, 5])
      expect(await idsOf(log, { functionName: 'b' })).toEqual([2, 4])
      expect(await idsOf(log, { functionName: 'a', last: 2 })).toEqual([3, 5])
      expect(await idsOf(log, { after: 3 })).toEqual([4, 5])
      expect(await idsOf(log, { after: 1, functionName: 'b' })).toEqual([2, 4])
      expect(await idsOf(log, { functionName: 'c' })).toEqual([])
    })

    it('lists the last 100 entries when the query names no number', async () => {
      const log = await openLog()
      for (let i = 0; i < 120; i++) log.append(loggedEntry)
      const ids = await idsOf(log)
      expect([ids.length, ids[0], ids.at(-1)]).toEqual([100, 21, 120])
    })

    it('keeps times that are fractions of a millisecond', async () => {
      const log = await openLog()
      log.append({ ...loggedEntry, started: 0.25, duration: 0.5 })
      expect(await log.list()).toMatchObject([{ started: 0.25, duration: 0.5 }])
    })

    it('keeps the order of entries of all sizes', async () => {
      const log = await openLog({ size: 1e9 })
      const requestIds = Array.from({ length: 700 }, (_, i) => `r-${i}`)
      for (const [i, requestId] of requestIds.entries())
        log.append(i < 650 ? kilobyte({ requestId }) : { ...loggedEntry, requestId })
      expect((await log.list({ last: 1000 })).map(({ requestId }) => requestId)).toEqual(requestIds)
    })

    it('calls onWritten with each entry after a moment, even without a flush', async () => {
      const clock = manualClock()
      const written: number[] = []
      const log = await openLog({ clock, onWritten: ({ id }) => written.push(id) })
      log.append(loggedEntry)
      log.append(loggedEntry)
      expect(written).toEqual([])
      await clock.advance(1000)
      await log.flush()
      expect(written).toEqual([1, 2])
    })

    it('continues when onWritten throws, and passes the error to notice', async () => {
      const notices: string[] = []
      const onWritten = ({ id }: InvocationLogEntry) => {
        throw id === 1 ? new Error('full') : 'no more'
      }
      const log = await openLog({ onWritten, notice: text => notices.push(text) })
      log.append(loggedEntry)
      log.append(loggedEntry)
      await log.flush()
      expect(notices).toEqual(['onInvocation failed: full', 'onInvocation failed: no more'])
      expect(await idsOf(log)).toEqual([1, 2])
    })

    it('writes everything before it closes', async () => {
      const log = await openLog({ size: 1e9 })
      for (let i = 0; i < 1234; i++) log.append(kilobyte())
      await log.close()
      expect(await (await openAgain({ size: 1e9 })).list({ last: 9999 })).toHaveLength(1234)
    })

    it('rejects a query after it was closed', async () => {
      const log = await openLog()
      await log.close()
      await expect(log.list()).rejects.toThrow('The invocation log is closed')
    })

    it('is shared with other processes that append to it', async () => {
      const log = await openLog()
      const other = await openAgain()
      log.append(loggedEntry)
      await log.flush()
      other.append(loggedEntry)
      await other.flush()
      expect(await idsOf(log)).toEqual([1, 2])
      expect(await idsOf(other)).toEqual([1, 2])
    })

    it('deletes the oldest entries when it is larger than its limit', async () => {
      const log = await openLog({ size: 100_000 })
      for (let i = 0; i < 1000; i++) log.append(kilobyte())
      const ids = await idsOf(log, { last: 1000 })
      expect(ids.length).toBeLessThan(100)
      expect(ids.length).toBeGreaterThan(50)
      expect(ids.at(-1)).toBe(1000)
    })

    it('keeps to its limit when it is opened again and again', async () => {
      const first = await openLog({ size: 100_000 })
      await first.close()
      for (let round = 0; round < 5; round++) {
        const log = await openAgain({ size: 100_000 })
        for (let i = 0; i < 60; i++) log.append(kilobyte())
        expect((await log.list({ last: 1000 })).length).toBeLessThan(100)
        await log.close()
      }
    })

    it('never assigns the id of a deleted entry again', async () => {
      const clock = manualClock()
      const log = await openLog({ clock, age: day })
      log.append(loggedEntry)
      await log.flush()
      await clock.advance(2 * day)
      log.append({ ...loggedEntry, started: 2 * day })
      expect(await idsOf(log)).toEqual([2])
    })

    it('deletes entries that are older than its limit', async () => {
      const log = await openLog({ clock: manualClock(100 * day), age: 7 * day })
      for (const age of [9, 8, 6, 1]) log.append({ ...loggedEntry, started: (100 - age) * day })
      expect(await idsOf(log)).toEqual([3, 4])
    })

    it('stays within its age after the clock was ahead for a while', async () => {
      const clock = manualClock(100 * day)
      let ahead = 1000 * day
      const log = await openLog({ clock: { ...clock, now: () => clock.now() + ahead }, age: day })
      const append = async () => {
        log.append({ ...loggedEntry, started: clock.now() + ahead })
        await log.flush()
      }
      await append()
      ahead = 0
      await append()
      await clock.advance(2 * day)
      await append()
      expect(await idsOf(log)).toEqual([1, 3])
    })

    it('masks secrets in the event, and wherever they are repeated', async () => {
      const secret = 'hunter2-hunter2'
      const written: InvocationLogEntry[] = []
      const log = await openLog({ onWritten: entry => written.push(entry) })
      log.append({
        ...loggedEntry,
        event: JSON.stringify({ request: { password: secret } }),
        payload: JSON.stringify({ request: { password: secret }, note: `${secret}!` }),
        failure: { kind: 'threw', message: `Error: wrong ${secret}` },
        verdict: { kind: 'denied', ok: true, text: `wrong ${secret}` },
        logs: [{ stream: 'out', text: `got ${secret}` }],
      })
      const [entry] = await log.list()
      expect(JSON.stringify([entry, written])).not.toContain(secret)
      expect(entry).toMatchObject({
        masked: true,
        logs: [{ text: 'got ***' }],
        verdict: { text: 'wrong ***' },
      })
    })

    it('masks secrets in the logs and in the failure', async () => {
      const log = await openLog()
      const text = 'login with {"user":"ada","password":"hunter2"} failed'
      log.append({
        ...loggedEntry,
        failure: { kind: 'threw', message: 'Error: https://a.example/?token=hunter3 is gone' },
        logs: [
          { stream: 'out', text },
          { stream: 'err', text: 'hunter3' },
        ],
      })
      expect(await log.list()).toMatchObject([
        {
          masked: true,
          event: loggedEntry.event,
          failure: { message: 'Error: https://a.example/?token=*** is gone' },
          logs: [{ text: text.replace('hunter2', '***') }, { text: '***' }],
        },
      ])
    })

    it('cuts a payload that is too long, and says how long it was', async () => {
      const log = await openLog()
      log.append({ ...loggedEntry, payload: JSON.stringify('x'.repeat(loggedPayloadLimit)) })
      expect(await log.list()).toMatchObject([
        {
          payload: `"${'x'.repeat(loggedPayloadLimit - 1)}… (the first of ${loggedPayloadLimit + 2} characters)`,
        },
      ])
    })

    it('logs every invocation in short form when more arrive than can be written', async () => {
      const log = await openLog({ size: 1e9 })
      const event = JSON.stringify({ body: 'x'.repeat(1_000_000) })
      for (let i = 0; i < 50; i++)
        log.append({ ...loggedEntry, event, payload: event, logs: [{ stream: 'out', text: event }] })
      const entries = await log.list()
      expect(entries).toHaveLength(50)
      expect(entries[0]!.event).toBe(event)
      for (const entry of entries) expect(entry.event === event || isEventOmitted(entry.event)).toBe(true)
    })
  })
}

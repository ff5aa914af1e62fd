import { afterEach, describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import type { InvocationLogEntry, NewInvocationLogEntry } from '../entry.ts'
import type { InvocationLog, InvocationLogOptions } from '../invocation-log.ts'
import { logContentSuite } from './log-content-suite.ts'
import { logLimitsSuite } from './log-limits-suite.ts'
import { logSearchSuite } from './log-search-suite.ts'
import { kilobyte, loggedEntry, logOptions } from './logged-entry.ts'
import { idsOf, type OpenLog } from './opened-log.ts'
import { traceSuite } from './trace-suite.ts'

export { loggedEntry, logOptions }

/** A log under test. */
export interface OpenedInvocationLog {
  readonly log: InvocationLog
  /** Opens the same log a second time, as another process does. */
  readonly openAgain: (options: InvocationLogOptions) => Promise<InvocationLog>
  /** Deletes the data of the closed log. */
  readonly end: () => Promise<void>
}

/**
 * Declares the shared test suite for the storage port of the invocation log, which each engine has to pass.
 * @param engine the name of the engine
 * @param open opens a log without entries
 */
export function invocationLogSuite(
  engine: string,
  open: (options: InvocationLogOptions) => Promise<OpenedInvocationLog>,
): void {
  describe(`an invocation log in ${engine}`, () => {
    const opened: OpenedInvocationLog[] = []
    const logs: InvocationLog[] = []

    const openLog: OpenLog = async (options = {}) => {
      const next = await open(logOptions(options))
      opened.push(next)
      logs.push(next.log)
      return next.log
    }
    const openAgain: OpenLog = async (options = {}) => {
      const log = await opened.at(-1)!.openAgain(logOptions(options))
      logs.push(log)
      return log
    }

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

    it('returns one entry by its id', async () => {
      const log = await openLog()
      for (const requestId of ['r-1', 'r-2']) log.append({ ...loggedEntry, requestId })
      expect(await log.get(2)).toEqual({ ...loggedEntry, requestId: 'r-2', id: 2, masked: false })
      expect(await log.get(3)).toBeUndefined()
      expect(await log.get(0)).toBeUndefined()
    })

    it('lists the last entries of all functions or of one function, and can start after an id', async () => {
      const log = await openLog()
      for (const functionName of ['a', 'b', 'a', 'b', 'a']) log.append({ ...loggedEntry, functionName })
      expect(await idsOf(log, { last: 2 })).toEqual([4, 5])
      expect(await idsOf(log, { functionName: 'b' })).toEqual([2, 4])
      expect(await idsOf(log, { functionName: 'a', last: 2 })).toEqual([3, 5])
      expect(await idsOf(log, { after: 3 })).toEqual([4, 5])
      expect(await idsOf(log, { after: 1, functionName: 'b' })).toEqual([2, 4])
      expect(await idsOf(log, { functionName: 'c' })).toEqual([])
    })

    it('lists the last 100 entries when the query sets no limit', async () => {
      const log = await openLog()
      for (let i = 0; i < 120; i++) log.append(loggedEntry)
      const ids = await idsOf(log)
      expect([ids.length, ids[0], ids.at(-1)]).toEqual([100, 21, 120])
    })

    it('keeps times with fractions of a millisecond', async () => {
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

    it('calls onWritten with each entry after a short time, even without a flush', async () => {
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

    it('continues when onWritten() throws, and passes the error to notice()', async () => {
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

    logLimitsSuite(openLog, openAgain)
    logSearchSuite(openLog)
    logContentSuite(openLog)
    traceSuite(openLog)
  })
}

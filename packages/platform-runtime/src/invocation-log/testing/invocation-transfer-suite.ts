import { afterEach, describe, expect, it } from '@jest/globals'
import type { InvocationLog, InvocationLogEntry } from '../index.ts'
import { type InvocationEntries, invocationRecords, invocationTransfer } from '../index.ts'
import { loggedEntry } from './logged-entry.ts'

/** An empty invocation log for one test, which is opened either for a copy or as a log. */
export interface TransferUnderTest {
  readonly openEntries: () => Promise<InvocationEntries>
  readonly openLog: () => Promise<InvocationLog>
  readonly end: () => Promise<void>
}

const [kind] = invocationRecords.kinds

const entry = (id: number, more: Partial<InvocationLogEntry> = {}): InvocationLogEntry => ({
  ...loggedEntry,
  masked: id % 2 === 0,
  requestId: `r-${id}`,
  started: 1_700_000_000_000 + id * 0.25,
  id,
  ...more,
})

/** Tests that an engine stores copied entries of an invocation log as they are. */
export function invocationTransferSuite(engine: string, open: () => Promise<TransferUnderTest>): void {
  describe(`copied entries of an invocation log in ${engine}`, () => {
    let under: TransferUnderTest
    afterEach(() => under.end())

    it('keep their ids and all their fields, and the log continues after them', async () => {
      under = await open()
      const entries = await under.openEntries()
      const first = [
        entry(3, {
          trace: { traceId: 'a', parentId: undefined, links: [{ traceId: 'c', spanId: 'd' }] },
        }),
        entry(4, { failure: { kind: 'error', type: 'Error', message: 'a\0b' } as never, verdict: undefined }),
        entry(10, { family: undefined, payload: 'NUL \0', logs: [{ stream: 'err', text: 'c\0 \ud800' }] }),
      ]
      // Ids have gaps where entries were deleted, and a quiet log has weeks between two entries.
      const later = Array.from({ length: 1100 }, (_, number) =>
        entry(20 + number, { started: 1_700_000_000_000 + number * 3_600_000 }),
      )
      await entries.write(first)
      await entries.write(later)
      expect(await entries.read(0, 2)).toEqual(first.slice(0, 2))
      expect(await entries.read(4, 3)).toEqual([first[2], ...later.slice(0, 2)])
      expect(await entries.read(20, 2000)).toEqual(later.slice(1))
      expect(await entries.read(1119, 5)).toEqual([])
      await entries.close()

      const log = await under.openLog()
      log.append({ ...loggedEntry, requestId: 'new' })
      expect((await log.list({ after: 1118 })).map(({ id, requestId }) => [id, requestId])).toEqual([
        [1119, 'r-1119'],
        [1120, 'new'],
      ])
      expect(await log.get(10)).toEqual(first[2])
      expect(await log.get(11)).toBeUndefined()
      expect((await log.search({ requestId: 'r-700', last: 5 })).entries).toEqual([later[680]])
      const starts: number[] = []
      await log.scan({ from: later[100]!.started, to: later[103]!.started }, (_, started) =>
        starts.push(started),
      )
      expect(starts.sort()).toEqual(later.slice(100, 103).map(({ started }) => started))
      await log.close()
    })

    it('contain only strings that every engine can store', async () => {
      under = await open()
      const entries = await under.openEntries()
      const transfer = invocationTransfer({
        ...entries,
        read: async () => [entry(1, { requestId: 'a\0b', event: '"\0\udfff"', payload: '\0\ud800' })],
      })
      const records = await transfer.read(kind!, undefined, 10)
      expect(records).toMatchObject([
        { request_id: 'a\ufffdb', event: '"\ufffd\ufffd"', payload: '\0\ufffd', masked: 0 },
      ])
      await transfer.write(kind!, records)
      expect(await invocationTransfer(entries).read(kind!, [0], 10)).toEqual(records)
      await entries.close()
    })
  })
}

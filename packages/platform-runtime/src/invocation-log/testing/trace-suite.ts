import { expect, it } from '@jest/globals'
import { traceLimit } from '../invocation-log.ts'
import { readChain } from '../trace-chain.ts'
import { loggedEntry } from './logged-entry.ts'
import type { OpenLog } from './opened-log.ts'

const other = (digit: string) => ({ traceId: digit.repeat(32), spanId: digit.repeat(16) })

/** Declares the tests of how an invocation log finds the entries of a trace. */
export function traceSuite(openLog: OpenLog): void {
  it('returns the entries of a trace and those linked to it, in the order of their ids', async () => {
    const log = await openLog()
    const requestIds = [1, 2, 3, 4, 5].map(digit => `0000000${digit}-1111-4111-8111-11111111111${digit}`)
    const root = { traceId: '0000000711114111811111111111111'.concat('1'), spanId: '8111111111110001' }
    const traces = [
      undefined,
      { traceId: 'b'.repeat(32), parentId: other('c').spanId, links: [] },
      { traceId: root.traceId, parentId: root.spanId, links: [] },
      { traceId: 'd'.repeat(32), parentId: undefined, links: [other('e'), root] },
      undefined,
    ]
    for (const [at, trace] of traces.entries())
      log.append({ ...loggedEntry, requestId: requestIds[at]!, started: 7500 + at, trace })
    const found = async (traceId: string) => (await log.trace(traceId)).map(({ id }) => id)
    expect(await found(root.traceId)).toEqual([1, 3, 4])
    expect(await found('e'.repeat(32))).toEqual([4])
    expect(await found('f'.repeat(32))).toEqual([])
    expect((await log.list()).map(({ trace }) => trace)).toEqual(traces)
    expect(await found('00000007111141118111111111111115')).toEqual([5])
  })

  it('returns a chain of bounded length for a batch of long traces', async () => {
    const log = await openLog()
    const links = ['a', 'b', 'c'].map(other)
    for (const { traceId } of links)
      for (let at = 0; at < 400; at++)
        log.append({ ...loggedEntry, trace: { traceId, parentId: '8111111111110001', links: [] } })
    log.append({ ...loggedEntry, trace: { traceId: 'd'.repeat(32), parentId: undefined, links } })
    const [batch] = await log.list({ last: 1 })
    const chain = await readChain(log, batch!)
    expect(chain).toHaveLength(traceLimit)
    expect(chain.map(({ entry }) => entry.id)).toContain(batch!.id)
  })
}

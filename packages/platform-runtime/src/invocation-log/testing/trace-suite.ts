import { expect, it } from '@jest/globals'
import { loggedEntry } from './logged-entry.ts'
import type { OpenLog } from './opened-log.ts'

const span = (trace: string, id: number) => ({ traceId: trace.repeat(32), spanId: `${id}`.padStart(16, '0') })

/** Declares the tests of how an invocation log finds the entries of a trace. */
export function traceSuite(openLog: OpenLog): void {
  it('returns the entries of a trace and those linked to it, in the order of their ids', async () => {
    const log = await openLog()
    const traces = [
      { ...span('a', 1), parentId: undefined, links: [] },
      { ...span('b', 2), parentId: undefined, links: [] },
      { ...span('a', 3), parentId: span('a', 1).spanId, links: [] },
      { ...span('c', 4), parentId: undefined, links: [span('b', 2), span('a', 3)] },
      undefined,
    ]
    for (const [at, trace] of traces.entries()) log.append({ ...loggedEntry, requestId: `r-${at}`, trace })
    expect((await log.trace('a'.repeat(32))).map(({ trace }) => trace)).toEqual([traces[0], traces[2], traces[3]])
    expect(await log.trace('d'.repeat(32))).toEqual([])
    expect((await log.list()).map(({ trace }) => trace)).toEqual(traces)
  })
}

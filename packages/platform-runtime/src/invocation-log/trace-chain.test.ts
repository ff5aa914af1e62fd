import { expect, it } from '@jest/globals'
import { invocationSpanId } from '../traces/span.ts'
import type { InvocationLogEntry } from './entry.ts'
import { loggedEntry } from './testing/logged-entry.ts'
import { chainOf } from './trace-chain.ts'

const idOf = (id: number) => `${id}`.repeat(8).concat('-1111-4111-8111-', `${id}`.repeat(12))

const entry = (id: number, started: number, duration: number, more: Partial<InvocationLogEntry> = {}) => ({
  ...{ ...loggedEntry, id, requestId: idOf(id), started, duration, masked: false },
  ...more,
})

const caused = (parentId: string) => ({ trace: { traceId: 'a'.repeat(32), parentId, links: [] } })

const sent = (at: number) => ({
  family: 'queue',
  event: JSON.stringify({ Records: [{ attributes: { SentTimestamp: `${at}` } }] }),
})

const shape = (entries: readonly InvocationLogEntry[]) =>
  chainOf(entries).map(({ entry: { id }, depth, offset, waited }) => [id, depth, offset, waited])

it('an invocation is below the one whose span caused it, wherever that is in the list', () => {
  const [first, second] = [entry(1, 1000, 5), entry(2, 1000, 1, caused(invocationSpanId(idOf(1), 1)))]
  const third = entry(3, 5000, 1, caused(invocationSpanId(idOf(2), 1)))
  const fourth = entry(4, 2000, 1, caused(invocationSpanId(idOf(1), 1)))
  expect(shape([third, second, fourth, first])).toEqual([
    [1, 0, 0, undefined],
    [2, 1, 0, undefined],
    [3, 2, 4000, undefined],
    [4, 1, 1000, undefined],
  ])
})

it('an invocation that a span of a function caused is below the one that was running when its event began', () => {
  const other = caused('f'.repeat(16))
  expect(
    shape([
      entry(1, 1000.7, 100),
      entry(2, 1050, 10, other),
      // It was sent in the same millisecond in which its sender began.
      entry(3, 9000, 10, { ...other, ...sent(1000) }),
      entry(4, 9500, 10, { ...other, ...sent(1055) }),
      // Nothing was running: the first one began it all.
      entry(5, 9900, 10, other),
      entry(6, 9950, 10, { ...other, family: 'queue', event: '"not kept"' }),
    ]).map(([id, depth, , waited]) => [id, depth, waited]),
  ).toEqual([
    [1, 0, undefined],
    [2, 1, undefined],
    [4, 2, 8445],
    [3, 1, 8000],
    [5, 1, undefined],
    [6, 1, undefined],
  ])
})

it('invocations of machines whose clocks differ, which seem to cause each other, are in the chain once', () => {
  const entries = [
    entry(1, 1000, 5, caused(invocationSpanId(idOf(2), 1))),
    entry(2, 1001, 5, caused(invocationSpanId(idOf(1), 1))),
  ]
  expect(chainOf(entries).map(({ entry: { id } }) => id)).toEqual([1, 2])
})

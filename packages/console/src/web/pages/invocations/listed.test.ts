import { describe, expect, it } from '@jest/globals'
import type { InvocationSummary } from '@signalbox/platform-runtime/console'
import { type Listed, mostListed, withNews, withOlder } from './listed.ts'

const invocation = (id: number) => ({ id }) as InvocationSummary
const list = (...ids: number[]): Listed => ({ invocations: ids.map(invocation), before: 1, skipped: 0 })
const ids = ({ invocations }: Listed) => invocations.map(({ id }) => id)

describe('withNews', () => {
  it('puts new invocations first, from newest to oldest, without duplicates', () => {
    expect(ids(withNews(list(3, 2), [invocation(3), invocation(4), invocation(5)], 0))).toEqual([5, 4, 3, 2])
  })

  it('returns the original list when there are no new invocations', () => {
    const before = list(3, 2)
    expect(withNews(before, [invocation(2)], 0)).toBe(before)
    expect(withNews(before, [], 7).skipped).toBe(7)
  })

  it('drops the oldest invocations beyond the maximum, and the next older page starts with them', () => {
    const many = Array.from({ length: mostListed + 50 }, (_, index) => invocation(index + 10))
    const next = withNews(list(3, 2), many, 0)
    expect(next.invocations).toHaveLength(mostListed)
    expect([ids(next)[0], next.before]).toEqual([mostListed + 59, ids(next).at(-1)])
  })
})

describe('withOlder', () => {
  it('appends a page of older invocations', () => {
    const next = withOlder(list(3, 2), { invocations: [invocation(2), invocation(1)], before: undefined })
    expect([ids(next), next.before]).toEqual([[3, 2, 1], undefined])
  })
})

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from '@jest/globals'
import { memoryBudget } from './memory-budget.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void

function tenBytes() {
  let time = 0
  const givenUp: string[] = []
  const budget = memoryBudget({ now: () => time }, 10)
  const holders = new Map<string, object>()
  const holder = (name: string) => holders.get(name) ?? holders.set(name, {}).get(name)!
  return {
    givenUp,
    pass: (milliseconds: number) => {
      time += milliseconds
    },
    onItsWay: (name: string, bytes: number) =>
      budget.reserve(holder(name), bytes, () => void givenUp.push(name)),
    atWork: (name: string, bytes: number) => budget.reserve(holder(name), bytes),
    release: (name: string) => budget.release(holder(name)),
  }
}

it('a memory budget refuses bytes above its limit until some are released', () => {
  const { onItsWay, atWork, release, givenUp } = tenBytes()
  expect([onItsWay('a', 6), atWork('b', 4), onItsWay('c', 1), onItsWay('a', 7)]).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(onItsWay('a', 5)).toBe(true)
  expect(onItsWay('c', 1)).toBe(true)
  release('b')
  release('b')
  expect([onItsWay('d', 5), onItsWay('d', 4)]).toEqual([false, true])
  expect(givenUp).toEqual([])
})

it('a memory budget evicts only as many holders as needed, the oldest first', () => {
  const { onItsWay, pass, givenUp } = tenBytes()
  onItsWay('a', 3)
  pass(1)
  onItsWay('b', 3)
  pass(1)
  onItsWay('c', 3)
  pass(10_000)
  // A reservation that grows keeps its age.
  onItsWay('a', 4)
  expect(onItsWay('d', 5)).toBe(true)
  expect(givenUp).toEqual(['a', 'b'])
})

it('a memory budget never takes bytes from a holder that is younger than five seconds or has no giveUp()', () => {
  const { onItsWay, atWork, pass, givenUp } = tenBytes()
  onItsWay('a', 5)
  atWork('b', 5)
  pass(4_999)
  expect(onItsWay('c', 1)).toBe(false)
  // The holder's age starts again now, because its answer is sent.
  onItsWay('b', 5)
  pass(1)
  expect(onItsWay('c', 6)).toBe(false)
  expect(givenUp).toEqual(['a'])
  expect(onItsWay('c', 5)).toBe(true)
  expect(onItsWay('d', 1)).toBe(false)
})

it('a memory budget does not keep released holders until a full garbage collection', () => {
  const budget = memoryBudget(Date)
  const size = 1000 * Float64Array.BYTES_PER_ELEMENT
  const holders: object[] = []
  const replaceOldest = () => {
    const holder = { numbers: Array.from({ length: 1000 }, (_, at) => at + 0.5) }
    budget.reserve(holder, 1, () => void holder)
    holders.push(holder)
    if (holders.length > 32) budget.release(holders.shift()!)
  }
  const old = () =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')!.space_used_size
  for (let count = 0; count < 100; count++) replaceOldest()
  collectGarbage()
  const before = old()
  let most = before
  for (let count = 0; count < 3000; count++) {
    replaceOldest()
    if (count % 100 > 0) continue
    collectGarbage({ type: 'minor' })
    most = Math.max(most, old())
  }
  // Keeping all holders would take more than twenty million bytes.
  expect(most - before).toBeLessThan(300 * size)
})

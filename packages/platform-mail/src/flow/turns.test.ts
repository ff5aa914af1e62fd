import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { turns } from './turns.ts'

it('work waits for its turn in the order of arrival, and is given up when that takes too long', async () => {
  const clock = manualClock()
  const turn = turns(2, 1000, clock)
  const ends = new Map<string, () => void>()
  const work = (name: string) =>
    turn(() => new Promise<string>(resolve => ends.set(name, () => resolve(name))))
  const [a, b, c, d] = [work('a'), work('b'), work('c'), work('d')]
  await clock.advance(999)
  expect([...ends.keys()]).toEqual(['a', 'b'])
  ends.get('b')!()
  expect(await b).toBe('b')
  await clock.advance(0)
  expect([...ends.keys()]).toEqual(['a', 'b', 'c'])
  await clock.advance(1)
  expect(await d).toBeUndefined()
  for (const name of ['a', 'c']) ends.get(name)!()
  expect(await Promise.all([a, c])).toEqual(['a', 'c'])
  await expect(turn(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  const [e, f, g] = [work('e'), work('f'), work('g')]
  await clock.advance(0)
  expect([...ends.keys()].slice(3)).toEqual(['e', 'f'])
  for (const name of ['e', 'f']) ends.get(name)!()
  await Promise.all([e, f])
  await clock.advance(0)
  ends.get('g')!()
  expect(await g).toBe('g')
  expect(clock.waiting).toBe(0)
})

import { describe, expect, it } from '@jest/globals'
import { manualClock } from '../testing/index.ts'
import { memoryStore } from './memory-store.ts'

const keys = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `k${from + index}`)

describe('memoryStore', () => {
  it('never holds more than `limit` keys, and always keeps at least the newest `limit / 2`', async () => {
    const store = memoryStore({ limit: 100 })
    for (const key of keys(0, 1000)) await store.set(key, 'v', 60_000)
    const held = await Promise.all(keys(0, 1000).map(key => store.get(key)))
    expect(held.filter(value => value !== undefined).length).toBeLessThanOrEqual(100)
    expect(held.slice(950)).toEqual(keys(950, 1000).map(() => 'v'))
  })

  it('keeps the two newest keys when the limit is two', async () => {
    const store = memoryStore({ limit: 2 })
    for (const key of ['a', 'b', 'c']) await store.set(key, key, 60_000)
    expect(await Promise.all(['a', 'b', 'c'].map(key => store.get(key)))).toEqual([undefined, 'b', 'c'])
  })

  it('evicts no key when an existing key is set again', async () => {
    const store = memoryStore({ limit: 4 })
    await store.set('a', 'v', 1000)
    await store.set('b', 'v', 1000)
    for (let round = 0; round < 10; round++) await store.set('b', `v${round}`, 1000)
    expect(await store.get('a')).toBe('v')
    expect(await store.get('b')).toBe('v9')
  })

  it('still finds and deletes older keys when newer keys have filled half the limit', async () => {
    const store = memoryStore({ limit: 4 })
    for (const key of ['a', 'b', 'c']) await store.set(key, key, 1000)
    expect(await store.get('a')).toBe('a')
    expect(await store.setIfAbsent('a', 'other', 1000)).toBe(false)
    await store.delete('a')
    expect(await store.get('a')).toBeUndefined()
  })

  it('measures time with the system clock by default', async () => {
    const store = memoryStore()
    await store.set('a', 'v', 60_000)
    await store.set('gone', 'v', -1)
    expect(await store.get('a')).toBe('v')
    expect(await store.get('gone')).toBeUndefined()
  })

  it('forgets a key exactly when its ttl has passed', async () => {
    const clock = manualClock(5)
    const store = memoryStore({ clock })
    await store.set('a', 'v', 10)
    await clock.advance(9)
    expect(await store.get('a')).toBe('v')
    await clock.advance(1)
    expect(await store.get('a')).toBeUndefined()
  })

  it.each([0, 1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses a limit of %p', limit => {
    expect(() => memoryStore({ limit })).toThrow('limit')
  })

  it('refuses an unknown option', () => {
    expect(() => memoryStore({ limits: 5 } as never)).toThrow(/^memoryStore\(\).* Did you mean limit\?/)
  })
})

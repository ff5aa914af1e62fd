import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { Keyv } from 'keyv'
import { manualClock } from '../testing/index.ts'
import { keyvStore } from './keyv-store.ts'
import { memoryStore } from './memory-store.ts'

const start = Date.UTC(2026, 0, 1)

// Keyv reads the system clock, so the tests stop the system clock, too.
beforeEach(
  () => void jest.useFakeTimers({ now: start, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }),
)
afterEach(() => void jest.useRealTimers())

const stores = {
  memoryStore() {
    const clock = manualClock(start)
    return { store: memoryStore({ clock }), pass: (ms: number) => clock.advance(ms) }
  },
  keyvStore() {
    const store = keyvStore(new Keyv())
    return { store, pass: async (ms: number) => void jest.setSystemTime(Date.now() + ms) }
  },
}

describe.each(Object.entries(stores))('%s', (_name, make) => {
  it('has no value for a key that was not set', async () => {
    const { store } = make()
    expect(await store.get('a')).toBeUndefined()
  })

  it('keeps a value under its key until the ttl has passed', async () => {
    const { store, pass } = make()
    await store.set('a', 'one', 1000)
    await store.set('b', 'two', 2000)
    await pass(999)
    expect(await store.get('a')).toBe('one')
    await pass(2)
    expect(await store.get('a')).toBeUndefined()
    expect(await store.get('b')).toBe('two')
  })

  it('lets exactly one of several simultaneous claims succeed', async () => {
    const { store } = make()
    const claims = await Promise.all(['x', 'y', 'z'].map(by => store.setIfAbsent('a', by, 1000)))
    expect(claims).toEqual([true, false, false])
    expect(await store.get('a')).toBe('x')
  })

  it('lets a key be claimed again after its ttl has passed or after delete', async () => {
    const { store, pass } = make()
    expect(await store.setIfAbsent('a', 'x', 1000)).toBe(true)
    await pass(1001)
    expect(await store.setIfAbsent('a', 'y', 1000)).toBe(true)
    await store.delete('a')
    expect(await store.setIfAbsent('a', 'z', 1000)).toBe(true)
    expect(await store.get('a')).toBe('z')
  })

  it('replaces the value and the ttl of a key with set', async () => {
    const { store, pass } = make()
    await store.set('a', 'one', 10)
    await store.set('a', 'two', 1000)
    await pass(500)
    expect(await store.get('a')).toBe('two')
  })

  it('deletes an absent key without an error', async () => {
    const { store } = make()
    await expect(store.delete('nothing')).resolves.toBeUndefined()
  })

  it.each(['__proto__', 'constructor', 'a:b:c', 'ü\u{1f4e6}'])('treats %j as an ordinary key', async key => {
    const { store } = make()
    expect(await store.get(key)).toBeUndefined()
    expect(await store.setIfAbsent(key, 'v', 1000)).toBe(true)
    expect(await store.get(key)).toBe('v')
    expect(({} as Record<string, unknown>).v).toBeUndefined()
  })
})

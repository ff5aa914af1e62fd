import { afterEach, describe, expect, it } from '@jest/globals'
import type { Store } from './store.ts'

/** The store under test. */
export interface StoreUnderTest {
  readonly store: Store
  /** Makes time pass for the store. */
  readonly pass: (ms: number) => Promise<void>
  readonly end?: () => Promise<void>
}

/**
 * Declares the tests that every store must pass.
 * @param make makes an empty store
 */
export function storeSuite(name: string, make: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a store`, () => {
    let opened: StoreUnderTest | undefined
    const open = async () => {
      opened = await make()
      return opened
    }
    afterEach(async () => {
      await opened?.end?.()
      opened = undefined
    })

    it('has no value for a key that was not set', async () => {
      const { store } = await open()
      expect(await store.get('a')).toBeUndefined()
    })

    it('keeps a value under its key until the ttl has passed', async () => {
      const { store, pass } = await open()
      await store.set('a', 'one', 1_000_000)
      await store.set('b', 'two', 2_000_000)
      await pass(900_000)
      expect(await store.get('a')).toBe('one')
      await pass(100_001)
      expect(await store.get('a')).toBeUndefined()
      expect(await store.get('b')).toBe('two')
    })

    it('lets exactly one of several simultaneous claims succeed', async () => {
      const { store } = await open()
      const names = ['x', 'y', 'z']
      const claims = await Promise.all(names.map(by => store.setIfAbsent('a', by, 1_000_000)))
      expect(claims.filter(isOwn => isOwn)).toHaveLength(1)
      expect(await store.get('a')).toBe(names[claims.indexOf(true)])
    })

    it('allows a new claim of a key after its ttl has passed or the key is deleted', async () => {
      const { store, pass } = await open()
      expect(await store.setIfAbsent('a', 'x', 1_000_000)).toBe(true)
      expect(await store.setIfAbsent('a', 'y', 1_000_000)).toBe(false)
      await pass(1_000_001)
      expect(await store.setIfAbsent('a', 'y', 1_000_000)).toBe(true)
      await store.delete('a')
      expect(await store.setIfAbsent('a', 'z', 1_000_000)).toBe(true)
      expect(await store.get('a')).toBe('z')
    })

    it('replaces the value and the ttl when an existing key is set', async () => {
      const { store, pass } = await open()
      await store.set('a', 'one', 1_000_000)
      await store.set('a', 'two', 3_000_000)
      await pass(2_000_000)
      expect(await store.get('a')).toBe('two')
    })

    it('deletes an absent key without an error', async () => {
      const { store } = await open()
      await expect(store.delete('nothing')).resolves.toBeUndefined()
    })

    it.each(['__proto__', 'constructor', 'a:b:c', 'ü\u{1f4e6}', "' or 1 = 1 --", 'k'.repeat(10_000)])(
      'treats %j as an ordinary key',
      async key => {
        const { store } = await open()
        expect(await store.get(key)).toBeUndefined()
        expect(await store.setIfAbsent(key, 'v', 1_000_000)).toBe(true)
        expect(await store.get(key)).toBe('v')
        expect(await store.get(`${key}.`)).toBeUndefined()
        expect(({} as Record<string, unknown>).v).toBeUndefined()
      },
    )

    it.each(['', ' \n', 'null', '"\\', 'ü\u{1f4e6}', 'x'.repeat(1_000_000)])(
      'returns the value %j unchanged',
      async value => {
        const { store } = await open()
        await store.set('a', value, 1_000_000)
        expect(await store.get('a')).toBe(value)
      },
    )
  })
}

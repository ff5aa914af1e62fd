import { describe, expect, it } from '@jest/globals'
import { Keyv } from 'keyv'
import { keyvStore } from './keyv-store.ts'

describe('keyvStore', () => {
  it('rejects when keyv reports that a write failed', async () => {
    const broken = new Map<string, unknown>()
    broken.set = () => {
      throw new Error('disk full')
    }
    const keyv = new Keyv({ store: broken })
    keyv.on('error', () => undefined)
    const store = keyvStore(keyv)
    await expect(store.set('a', 'v', 1000)).rejects.toThrow('Keyv could not write the key')
    await expect(store.setIfAbsent('a', 'v', 1000)).rejects.toThrow('Keyv could not write the key')
  })

  it('lets the next claim of a key succeed after a claim whose write failed', async () => {
    let writes = 0
    const flaky = new Map<string, unknown>()
    flaky.set = (key, value) => {
      if (writes++ === 0) throw new Error('connection reset')
      return Map.prototype.set.call(flaky, key, value) as typeof flaky
    }
    const keyv = new Keyv({ store: flaky })
    keyv.on('error', () => undefined)
    const store = keyvStore(keyv)
    const claims = await Promise.allSettled(['x', 'y', 'z'].map(by => store.setIfAbsent('a', by, 1000)))
    expect(claims.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(claims.slice(1).map(claim => (claim as { value?: boolean }).value)).toEqual([true, false])
  })

  it('serializes simultaneous claims of a key, so that only one succeeds in a slow store', async () => {
    const keyv = new Keyv()
    const answered = () => new Promise(resolve => setImmediate(resolve))
    const slow = {
      get: (key: string) => answered().then(() => keyv.get(key)),
      set: (key: string, value: string, ttl: number) => answered().then(() => keyv.set(key, value, ttl)),
      delete: (key: string) => keyv.delete(key),
    }
    const store = keyvStore(slow)
    const claims = await Promise.all(['x', 'y', 'z'].map(by => store.setIfAbsent('a', by, 1000)))
    expect(claims).toEqual([true, false, false])
  })

  it('refuses a claim when another process overwrites the key during the claim', async () => {
    const keyv = new Keyv()
    const intruding = {
      get: (key: string) => keyv.get(key),
      delete: (key: string) => keyv.delete(key),
      set: async (key: string, value: string, ttl: number) => {
        await keyv.set(key, value, ttl)
        return keyv.set(key, 'the other process', ttl)
      },
    }
    expect(await keyvStore(intruding).setIfAbsent('a', 'mine', 1000)).toBe(false)
    expect(await keyv.get('a')).toBe('the other process')
  })

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a URL', 'redis://localhost'],
    ['an object without delete', { get() {}, set() {} }],
  ])('refuses %s, which is not a Keyv', (_, given) => {
    expect(() => keyvStore(given as never)).toThrow('keyvStore() takes a Keyv, such as new Keyv()')
  })

  it('treats a stored value that is not a string as absent', async () => {
    const keyv = new Keyv()
    await keyv.set('a', { some: 'object' })
    expect(await keyvStore(keyv).get('a')).toBeUndefined()
  })
})

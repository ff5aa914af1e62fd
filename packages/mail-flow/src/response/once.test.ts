import { describe, expect, it } from '@jest/globals'
import { memoryStore } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { once } from './once.ts'

const drop = { actions: [{ action: { type: 'DROP' as const }, allRecipients: true }] }
const other = { actions: [{ action: { type: 'DEFAULT' as const }, allRecipients: true }] }

describe('once()', () => {
  it('stores only the first decision for each invocation id', async () => {
    const { recall, remember } = once({ store: memoryStore() })
    expect(await recall('id')).toBeUndefined()
    expect(await remember('id', { response: drop })).toEqual({ response: drop })
    expect(await remember('id', { response: other })).toEqual({ response: drop })
    expect(await recall('id')).toEqual({ response: drop })
    expect(await remember('other', { response: undefined })).toEqual({ response: undefined })
    expect(await recall('other')).toEqual({ response: undefined })
  })

  it.each([
    ['five hours by default', undefined, (240 + 60) * 60_000],
    ['the ttl', 1000, 1000],
  ])('forgets a decision after %s', async (_, ttl, expected) => {
    const clock = manualClock()
    const { recall, remember } = once({
      store: memoryStore({ clock }),
      ...(ttl === undefined ? {} : { ttl }),
    })
    await remember('id', { response: drop })
    await clock.advance(expected - 1)
    expect(await recall('id')).toEqual({ response: drop })
    await clock.advance(1)
    expect(await recall('id')).toBeUndefined()
  })

  it.each(['{', '{}', '{"actions":[]}', '7', '"done"'])(
    'ignores the stored value `%s`, which is not a decision',
    async text => {
      const store = memoryStore()
      await store.set('mail-flow:id', text, 1000)
      const { recall, remember } = once({ store })
      expect(await recall('id')).toBeUndefined()
      expect(await remember('id', { response: drop })).toEqual({ response: drop })
    },
  )

  it('finds no decision when the store returns null', async () => {
    const get = async () => null as never
    expect(await once({ store: { ...memoryStore(), get } }).recall('id')).toBeUndefined()
  })

  const invalid: readonly [name: string, options: unknown, message: string][] = [
    ['missing options', undefined, 'once() needs a store'],
    ['options without a store', {}, 'once() needs a store'],
    ['null as the store', { store: null }, 'once() needs a store'],
    ['a function as the store', { store: memoryStore }, 'once() needs a store'],
    ['a store instead of options', memoryStore(), 'once() needs a store: once({ store: memoryStore() })'],
    ['an unknown option', { store: memoryStore(), tll: 1 }, 'Did you mean ttl?'],
    ['a ttl of 0', { store: memoryStore(), ttl: 0 }, 'once(): ttl is 0'],
    ['a ttl of NaN', { store: memoryStore(), ttl: Number.NaN }, 'once(): ttl is NaN'],
    ['a ttl that is a string', { store: memoryStore(), ttl: '1000' }, 'once(): ttl is "1000"'],
  ]
  it.each(invalid)('refuses %s', (_, options, message) => {
    expect(() => once(options as never)).toThrow(message)
  })
})

import { describe, expect, it } from '@jest/globals'
import { memoryStore } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { once } from './once.ts'

const drop = { actions: [{ action: { type: 'DROP' as const }, allRecipients: true }] }
const other = { actions: [{ action: { type: 'DEFAULT' as const }, allRecipients: true }] }

describe('once', () => {
  it('stores the first decision', async () => {
    const { recall, remember } = once({ store: memoryStore() })
    expect(await recall('id')).toBeUndefined()
    expect(await remember('id', { response: drop })).toEqual({ response: drop })
    expect(await remember('id', { response: other })).toEqual({ response: drop })
    expect(await recall('id')).toEqual({ response: drop })
    expect(await remember('other', { response: undefined })).toEqual({ response: undefined })
    expect(await recall('other')).toEqual({ response: undefined })
  })

  it.each([
    [undefined, (240 + 60) * 60_000],
    [1000, 1000],
  ])('forgets a decision after a ttl of %s', async (ttl, expected) => {
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

  it.each(['{', '{}', '{"actions":[]}', '7', '"done"'])('ignores the value %s in the store', async text => {
    const store = memoryStore()
    await store.set('mail-flow:id', text, 1000)
    const { recall, remember } = once({ store })
    expect(await recall('id')).toBeUndefined()
    expect(await remember('id', { response: drop })).toEqual({ response: drop })
  })

  it('treats null from the store as no decision', async () => {
    const get = async () => null as never
    expect(await once({ store: { ...memoryStore(), get } }).recall('id')).toBeUndefined()
  })

  it.each([
    [undefined, 'once() needs a store'],
    [{}, 'once() needs a store'],
    [{ store: null }, 'once() needs a store'],
    [{ store: memoryStore }, 'once() needs a store'],
    [memoryStore(), 'once() needs a store: once({ store: memoryStore() })'],
    [{ store: memoryStore(), tll: 1 }, 'Did you mean ttl?'],
    [{ store: memoryStore(), ttl: 0 }, 'once(): ttl is 0'],
    [{ store: memoryStore(), ttl: Number.NaN }, 'once(): ttl is NaN'],
    [{ store: memoryStore(), ttl: '1000' }, 'once(): ttl is "1000"'],
  ])('refuses invalid options (case %#)', (options, message) => {
    expect(() => once(options as never)).toThrow(message)
  })
})

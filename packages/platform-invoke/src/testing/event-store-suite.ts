import { describe, expect, it } from '@jest/globals'
import { type ManualClock, manualClock } from '@signalbox/core/testing'
import type { EventStore, NewEvent } from '../store/event-store.ts'

/** Declares the tests that every event store must pass. `open` opens an empty store that uses the given clock. */
export function eventStoreSuite(
  name: string,
  open: (clock: ManualClock) => Promise<EventStore> | EventStore,
): void {
  const event = (id: string, functionName = 'work'): NewEvent => ({
    id,
    functionName,
    payload: `{"id":"${id}"}`,
    clientContext: undefined,
  })
  const opened = async () => {
    const clock = manualClock(1_700_000_000_000)
    return { clock, store: await open(clock) }
  }

  describe(`an event store in ${name}`, () => {
    it('returns the due events of a function, earliest first', async () => {
      const { clock, store } = await opened()
      for (const id of ['a', 'b', 'c']) {
        await store.add(event(id))
        await clock.advance(1)
      }
      await store.add(event('other', 'rest'))
      expect(await store.nextIn('work')).toBe(0)
      expect(await store.take('work', { max: 2, lease: 1000 })).toMatchObject([
        { ...event('a'), age: 3, attempts: 1, refusals: 0, failure: undefined },
        { ...event('b'), age: 2 },
      ])
      expect(await store.take('work', { max: 0, lease: 1000 })).toEqual([])
      expect(await store.take('work', { max: 9, lease: 2000 })).toMatchObject([event('c')])
      expect(await store.take('work', { max: 9, lease: 1000 })).toEqual([])
      expect(await store.counts()).toEqual(
        new Map([
          ['rest', 1],
          ['work', 3],
        ]),
      )
      await clock.advance(1000)
      expect(await store.take('work', { max: 9, lease: 1 })).toMatchObject([{ id: 'a' }, { id: 'b' }])
      await store.close()
    })

    it('counts an attempt of an event when the event is taken, even if nothing more is heard of it', async () => {
      const { clock, store } = await opened()
      await store.add(event('a'))
      for (const attempts of [1, 2, 3]) {
        expect(await store.take('work', { max: 1, lease: 10 })).toMatchObject([{ attempts }])
        await clock.advance(10)
      }
      await store.close()
    })

    it('returns a postponed event again after its delay, with its attempt count', async () => {
      const { clock, store } = await opened()
      await store.add({ ...event('a'), clientContext: '{}' })
      const [first] = await store.take('work', { max: 9, lease: 10 })
      const failure = { condition: 'RetriesExhausted', payload: '1' } as const
      expect(await store.giveBack(first!, { attempts: 1, refusals: 2, failure, delay: 500 })).toBe(true)
      expect(await store.nextIn('work')).toBeLessThanOrEqual(500)
      await clock.advance(499)
      expect(await store.take('work', { max: 9, lease: 10 })).toEqual([])
      await clock.advance(1)
      const [second] = await store.take('work', { max: 9, lease: 10 })
      expect(second).toMatchObject({
        id: 'a',
        clientContext: '{}',
        age: 500,
        attempts: 1,
        refusals: 2,
        failure,
      })
      expect(await store.remove(second!)).toBe(true)
      expect(await store.counts()).toEqual(new Map())
      await store.close()
    })

    it('refuses to change an event for a process that lost it to another process', async () => {
      const { clock, store } = await opened()
      await store.add(event('a'))
      const [late] = await store.take('work', { max: 1, lease: 10 })
      await clock.advance(10)
      const [current] = await store.take('work', { max: 1, lease: 10 })
      const progress = { attempts: 1, refusals: 0, failure: undefined, delay: 5 }
      expect(await store.giveBack(late!, progress)).toBe(false)
      expect(await store.remove(late!)).toBe(false)
      expect(await store.giveBack(current!, progress)).toBe(true)
      expect(await store.remove(current!)).toBe(false)
      await store.close()
    })

    it('stores any JSON string unchanged', async () => {
      const { store } = await opened()
      const payload = JSON.stringify({ text: 'ü\u0000\ud800 \u{1f600}' })
      await store.add({ ...event('a'), payload })
      expect(await store.take('work', { max: 1, lease: 1 })).toMatchObject([{ payload }])
      await store.close()
    })
  })
}

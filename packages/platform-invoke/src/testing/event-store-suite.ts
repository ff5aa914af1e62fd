import { describe, expect, it } from '@jest/globals'
import type { EventStore, NewEvent } from '../store/event-store.ts'

/** The tests that every store of events passes. `open` opens an empty store. */
export function eventStoreSuite(name: string, open: () => Promise<EventStore> | EventStore): void {
  const event = (id: string, functionName = 'work'): NewEvent => ({
    id,
    functionName,
    payload: `{"id":"${id}"}`,
    clientContext: undefined,
  })

  describe(`${name}, a store of events`, () => {
    it('gives the events of a function that are due, the earliest first', async () => {
      const store = await open()
      for (const [at, id] of ['a', 'b', 'c'].entries()) await store.add(event(id), 1000 + at)
      await store.add(event('other', 'rest'), 1000)
      const limits = { max: 2, now: 1001, until: 2000 }
      const taken = await store.take('work', limits)
      expect(taken).toMatchObject([
        { ...event('a'), acceptedAt: 1000, attempts: 0, refusals: 0, failure: undefined },
        { ...event('b'), acceptedAt: 1001 },
      ])
      expect(await store.take('work', limits)).toEqual([])
      expect(await store.nextDue('work')).toBe(1002)
      expect(await store.nextDue('none')).toBeUndefined()
      expect(await store.counts()).toEqual(
        new Map([
          ['rest', 1],
          ['work', 3],
        ]),
      )
      await store.close()
    })

    it('gives an event back at its next time, with its progress', async () => {
      const store = await open()
      await store.add({ ...event('a'), clientContext: '{}' }, 0)
      const [first] = await store.take('work', { max: 9, now: 0, until: 10 })
      const failure = { condition: 'RetriesExhausted', payload: '1' } as const
      expect(await store.giveBack(first!, { attempts: 1, refusals: 2, failure, dueAt: 500 })).toBe(true)
      expect(await store.take('work', { max: 9, now: 499, until: 600 })).toEqual([])
      const [second] = await store.take('work', { max: 9, now: 500, until: 600 })
      expect(second).toMatchObject({
        id: 'a',
        clientContext: '{}',
        acceptedAt: 0,
        attempts: 1,
        refusals: 2,
        failure,
      })
      expect(await store.remove(second!)).toBe(true)
      expect(await store.counts()).toEqual(new Map())
      await store.close()
    })

    it('lets only the last one who took an event change it', async () => {
      const store = await open()
      await store.add(event('a'), 0)
      const [late] = await store.take('work', { max: 1, now: 0, until: 10 })
      const [current] = await store.take('work', { max: 1, now: 10, until: 20 })
      const progress = { attempts: 1, refusals: 0, failure: undefined, dueAt: 99 }
      expect(await store.giveBack(late!, progress)).toBe(false)
      expect(await store.remove(late!)).toBe(false)
      expect(await store.giveBack(current!, progress)).toBe(true)
      expect(await store.remove(current!)).toBe(false)
      expect(await store.nextDue('work')).toBe(99)
      await store.close()
    })

    it('keeps texts of any kind', async () => {
      const store = await open()
      const payload = JSON.stringify({ text: 'ü\u0000\ud800 \u{1f600}' })
      await store.add({ ...event('a'), payload }, 0)
      expect(await store.take('work', { max: 1, now: 0, until: 1 })).toMatchObject([{ payload }])
      await store.close()
    })
  })
}

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { NewWork, WorkQueue } from '../work-queue.ts'

/** A work queue under test. */
export interface OpenedQueue {
  readonly queue: WorkQueue
  /** Ends the platform of the queue without a word, as a crash does, and opens the queue on another platform. */
  readonly crash: () => Promise<WorkQueue>
  /** Closes all queues and deletes their work. */
  readonly end: () => Promise<void>
}

/**
 * The shared tests of work queues, which every storage engine must pass.
 * @param engine the name of the engine
 * @param open opens a queue without work
 */
export function workQueueSuite(engine: string, open: () => Promise<OpenedQueue>): void {
  const work = (key: string, queue = 'jobs'): NewWork => ({ queue, key, data: `data of ${key}` })

  describe(`a work queue in ${engine}`, () => {
    let opened: OpenedQueue
    let queue: WorkQueue
    beforeEach(async () => {
      opened = await open()
      queue = opened.queue
    })
    afterEach(() => opened.end())

    const keys = async (now: number, limit = 10, name = 'jobs') =>
      (await queue.claim(name, now, limit)).work.map(({ key }) => key)

    it('gives out due work in the order of its arrival, up to a limit, and no work of other queues', async () => {
      for (const key of ['c', 'a', 'b']) await queue.put(work(key), 1000)
      await queue.put({ ...work('earlier'), owner: 'mail' }, 999)
      await queue.put(work('other', 'rest'), 1000)
      expect((await queue.claim('jobs', 1005, 2)).work).toMatchObject([
        { queue: 'jobs', key: 'earlier', owner: 'mail', data: 'data of earlier', putAt: 999, tries: 1 },
        { key: 'c', owner: '', putAt: 1000 },
      ])
      expect(await keys(1005)).toEqual(['a', 'b'])
      expect(await queue.counts()).toEqual(
        new Map([
          ['jobs', 4],
          ['rest', 1],
        ]),
      )
    })

    it('never gives the same work to two workers', async () => {
      const all = Array.from({ length: 40 }, (_, number) => `${number}`)
      await Promise.all(all.map(key => queue.put(work(key), 1000)))
      const claimed = await Promise.all(all.map(() => keys(1000, 3)))
      expect(claimed.flat().sort()).toEqual(all.sort())
    })

    it('says when more work is due', async () => {
      await queue.put(work('now'), 1000)
      await queue.put(work('later'), 5000)
      expect(await queue.claim('jobs', 999, 9)).toEqual({ work: [], nextAt: 1000 })
      expect(await queue.claim('jobs', 1000, 9)).toMatchObject({ work: [{ key: 'now' }], nextAt: 5000 })
      expect(await queue.claim('other', 1000, 9)).toEqual({ work: [], nextAt: undefined })
    })

    it('removes finished work', async () => {
      await queue.put(work('a'), 1000)
      const [a] = (await queue.claim('jobs', 1000, 1)).work
      expect(await queue.finish(a!, 1001)).toBe(true)
      expect(await queue.finish(a!, 1002)).toBe(false)
      expect(await keys(1e9)).toEqual([])
      expect(await queue.counts()).toEqual(new Map())
    })

    it('gives work out again at the time of its retry, with new data', async () => {
      await queue.put(work('a'), 1000)
      const [first] = (await queue.claim('jobs', 1000, 1)).work
      expect(await queue.retry(first!, 'new', 7000, 1100)).toBe(true)
      expect(await queue.claim('jobs', 6999, 1)).toEqual({ work: [], nextAt: 7000 })
      const [second] = (await queue.claim('jobs', 7000, 1)).work
      expect(second).toMatchObject({ key: 'a', data: 'new', putAt: 1000, tries: 1 })
      expect(await queue.retry(first!, 'late', 8000, 7000)).toBe(false)
      expect(await queue.finish(first!, 7000)).toBe(false)
      expect(await queue.finish(second!, 7000)).toBe(true)
    })

    it('counts the tries of work that is given back, unless the work was not begun', async () => {
      await queue.put(work('a'), 1000)
      const [first] = (await queue.claim('jobs', 1000, 1)).work
      await queue.giveBack(first!, 3000, 1000)
      expect(await queue.claim('jobs', 2999, 1)).toEqual({ work: [], nextAt: 3000 })
      const [second] = (await queue.claim('jobs', 3000, 1)).work
      expect(second).toMatchObject({ data: 'data of a', tries: 2 })
      await queue.unclaim(second!)
      expect((await queue.claim('jobs', 3000, 1)).work).toMatchObject([{ tries: 2 }])
      await queue.giveBack(second!, 0, 3000)
      await queue.unclaim(second!)
      expect(await keys(3000)).toEqual([])
    })

    it('refuses a second piece of work with the same key', async () => {
      await queue.put(work('a'), 1000)
      await expect(queue.put(work('a', 'rest'), 1000)).rejects.toThrow()
      expect(await keys(1000)).toEqual(['a'])
    })

    it('gives the work of a platform that ended between claim and finish to another one, as another try', async () => {
      for (const key of ['a', 'b', 'c']) await queue.put(work(key), 1000)
      const [a, b] = (await queue.claim('jobs', 1000, 2)).work
      await queue.retry(b!, 'new', 1000, 1000)
      const other = await opened.crash()
      const { work: claimed } = await other.claim('jobs', 1000, 9)
      expect(claimed.map(({ key, tries, data }) => [key, tries, data])).toEqual([
        ['a', 2, 'data of a'],
        ['b', 1, 'new'],
        ['c', 1, 'data of c'],
      ])
      expect(await other.finish(claimed[0]!, 1000)).toBe(true)
      expect(await other.counts()).toEqual(new Map([['jobs', 2]]))
      expect(a!.tries).toBe(1)
    })

    it('keeps any text unchanged that JSON can escape', async () => {
      const data = JSON.stringify({ text: 'ü\u0000\ud800 \u{1f600}' })
      await queue.put({ ...work('a'), data }, 1000)
      expect((await queue.claim('jobs', 1000, 1)).work).toMatchObject([{ data }])
    })
  })
}

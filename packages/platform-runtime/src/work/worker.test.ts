import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { worker } from './worker.ts'

/**
 * Returns a worker, and a map of its items to the times when they are due. Each item runs until the test releases it.
 */
function workplace(concurrency: number) {
  const clock = manualClock(1000)
  const dueAt = new Map<string, number>()
  const started: string[] = []
  const errors: unknown[] = []
  const releases = new Map<string, (error?: Error) => void>()
  const claimed = new Set<string>()
  let broken = false
  let searchTime = 0
  const theWorker = worker<string>(
    {
      concurrency,
      async claim(now, limit) {
        if (broken) throw new Error('the disk is gone')
        const free = [...dueAt].filter(([key]) => !claimed.has(key)).sort(([, a], [, b]) => a - b)
        const work = free
          .filter(([, at]) => at <= now)
          .map(([key]) => key)
          .slice(0, limit)
        for (const key of work) claimed.add(key)
        if (searchTime > 0) await new Promise<void>(resolve => clock.after(searchTime, resolve))
        return { work, nextAt: free.find(([, at]) => at > now)?.[1] }
      },
      run: key =>
        new Promise((resolve, reject) => {
          started.push(key)
          releases.set(key, error => {
            if (error !== undefined) return reject(error)
            dueAt.delete(key)
            claimed.delete(key)
            resolve()
          })
        }),
      async giveBack(key, at) {
        claimed.delete(key)
        dueAt.set(key, at)
      },
      unclaim: async key => void claimed.delete(key),
      failed: error => void errors.push(error),
    },
    { clock, machineClock: clock },
  )
  const wake = async () => {
    theWorker.wake()
    await clock.advance(0)
  }
  const release = async (key: string, error?: Error) => {
    releases.get(key)!(error)
    await clock.advance(0)
  }
  const setBroken = (now: boolean) => {
    broken = now
  }
  const setSearchTime = (ms: number) => {
    searchTime = ms
  }
  return {
    clock,
    dueAt,
    claimed,
    started,
    errors,
    worker: theWorker,
    wake,
    release,
    setBroken,
    setSearchTime,
  }
}

it('a worker starts each due item once, and never runs more items at a time than its concurrency allows', async () => {
  const { dueAt, started, worker, wake, release } = workplace(2)
  for (const key of ['a', 'b', 'c']) dueAt.set(key, 0)
  worker.wake()
  await wake()
  expect(started).toEqual(['a', 'b'])
  await release('a')
  expect(started).toEqual(['a', 'b', 'c'])
})

it('a worker sleeps until the next item is due, and uses a single timer', async () => {
  const { clock, dueAt, started, worker, wake } = workplace(2)
  await wake()
  expect(clock.waiting).toBe(0)
  dueAt.set('later', 6000).set('soon', 5000)
  worker.wake()
  await wake()
  expect(clock.waiting).toBe(1)
  await clock.advance(3999)
  expect(started).toEqual([])
  await clock.advance(1)
  expect(started).toEqual(['soon'])
  await clock.advance(1000)
  expect(started).toEqual(['soon', 'later'])
})

it('a worker starts an item on time even if the search for work took long', async () => {
  const { clock, dueAt, started, wake, setSearchTime } = workplace(2)
  dueAt.set('during', 3000).set('after', 9000)
  setSearchTime(4000)
  await wake()
  setSearchTime(0)
  await clock.advance(3999)
  expect(started).toEqual([])
  await clock.advance(1)
  expect([clock.now(), started]).toEqual([5000, ['during']])
  await clock.advance(4000)
  expect(started).toEqual(['during', 'after'])
})

it('a worker that is woken during a search for work searches again afterwards', async () => {
  const { clock, dueAt, started, worker } = workplace(2)
  worker.wake()
  dueAt.set('a', 0)
  worker.wake()
  await clock.advance(0)
  expect(started).toEqual(['a'])
})

it('a worker retries an item a minute after an unexpected failure, and continues with other items', async () => {
  const { clock, dueAt, started, errors, wake, release } = workplace(1)
  for (const key of ['a', 'b']) dueAt.set(key, 0)
  await wake()
  await release('a', new Error('not written'))
  expect(errors).toEqual([new Error('not written')])
  expect(started).toEqual(['a', 'b'])
  await release('b')
  await clock.advance(59_999)
  expect(started).toEqual(['a', 'b'])
  await clock.advance(1)
  expect(started).toEqual(['a', 'b', 'a'])
})

it('a worker retries an item after a second if the item failed because the storage was unavailable', async () => {
  const { clock, dueAt, started, wake, release } = workplace(1)
  dueAt.set('a', 0)
  await wake()
  await release('a', Object.assign(new Error('The database is not available.'), { code: 'UNAVAILABLE' }))
  await clock.advance(999)
  expect(started).toEqual(['a'])
  await clock.advance(1)
  expect(started).toEqual(['a', 'a'])
})

it('a worker looks for work again a minute after a search for work failed', async () => {
  const { clock, dueAt, started, errors, wake, setBroken } = workplace(1)
  dueAt.set('a', 0)
  setBroken(true)
  await wake()
  expect(errors).toEqual([new Error('the disk is gone')])
  setBroken(false)
  await clock.advance(60_000)
  expect(started).toEqual(['a'])
})

it('a stopped worker starts no items, and waits for running items during the grace period', async () => {
  const { clock, dueAt, started, worker, wake, release } = workplace(2)
  dueAt.set('a', 0).set('b', 0).set('later', 2000)
  await wake()
  await release('b', new Error('not written'))
  let stopped = false
  void worker.stop(10_000).then(() => {
    stopped = true
  })
  await clock.advance(9999)
  expect(stopped).toBe(false)
  await release('a')
  expect(stopped).toBe(true)
  await clock.advance(120_000)
  expect(started).toEqual(['a', 'b'])
  expect(clock.waiting).toBe(0)

  const slow = workplace(1)
  slow.dueAt.set('a', 0)
  await slow.wake()
  const over = slow.worker.stop(10_000)
  await slow.clock.advance(10_000)
  await expect(over).resolves.toBeUndefined()
  await slow.release('a', new Error('The database is closed.'))
  expect(slow.errors).toEqual([])
})

it('a worker that is stopped while it looks for work starts no item', async () => {
  const { clock, dueAt, claimed, started, worker } = workplace(1)
  dueAt.set('a', 0)
  worker.wake()
  const stopped = worker.stop(0)
  await clock.advance(0)
  await stopped
  expect(started).toEqual([])
  expect(claimed.size).toBe(0)
})

import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { worker } from './due-work.ts'

/** Pieces of work that are due at times, and last until they are released. */
function workplace(atATime: number) {
  const clock = manualClock(1000)
  const dueAt = new Map<string, number>()
  const begun: string[] = []
  const errors: unknown[] = []
  const releases = new Map<string, (error?: Error) => void>()
  let broken = false
  const work = worker(
    {
      atATime,
      due(now, most) {
        if (broken) throw new Error('the disk is gone')
        return [...dueAt.keys()].filter(key => dueAt.get(key)! <= now).slice(0, most)
      },
      nextAfter: now => [...dueAt.values()].filter(at => at > now).sort((a, b) => a - b)[0],
      run: key =>
        new Promise((resolve, reject) => {
          begun.push(key)
          releases.set(key, error => {
            if (error !== undefined) return reject(error)
            dueAt.delete(key)
            resolve()
          })
        }),
      failed: error => void errors.push(error),
    },
    clock,
  )
  const release = async (key: string, error?: Error) => {
    releases.get(key)!(error)
    await clock.advance(0)
  }
  return { clock, dueAt, begun, errors, work, release, break: (now: boolean) => (broken = now) }
}

it('takes what is due when it is told, each piece once, no more than some at a time', async () => {
  const { dueAt, begun, work, release } = workplace(2)
  for (const key of ['a', 'b', 'c']) dueAt.set(key, 0)
  work.wake()
  work.wake()
  expect(begun).toEqual(['a', 'b'])
  await release('a')
  expect(begun).toEqual(['a', 'b', 'c'])
})

it('takes what becomes due when it does, by one timer and no more', async () => {
  const { clock, dueAt, begun, work } = workplace(2)
  work.wake()
  expect(clock.waiting).toBe(0)
  dueAt.set('later', 6000).set('soon', 5000)
  work.wake()
  work.wake()
  expect(clock.waiting).toBe(1)
  await clock.advance(3999)
  expect(begun).toEqual([])
  await clock.advance(1)
  expect(begun).toEqual(['soon'])
  await clock.advance(1000)
  expect(begun).toEqual(['soon', 'later'])
})

it('lets a piece rest that ended in an error nobody expected, while others go on', async () => {
  const { clock, dueAt, begun, errors, work, release } = workplace(1)
  for (const key of ['a', 'b']) dueAt.set(key, 0)
  work.wake()
  await release('a', new Error('not written'))
  expect(errors).toEqual([new Error('not written')])
  expect(begun).toEqual(['a', 'b'])
  await release('b')
  await clock.advance(59_999)
  expect(begun).toEqual(['a', 'b'])
  await clock.advance(1)
  expect(begun).toEqual(['a', 'b', 'a'])
})

it('looks again in a minute when it could not look', async () => {
  const place = workplace(1)
  place.dueAt.set('a', 0)
  place.break(true)
  place.work.wake()
  expect(place.errors).toEqual([new Error('the disk is gone')])
  place.break(false)
  await place.clock.advance(60_000)
  expect(place.begun).toEqual(['a'])
})

it('takes nothing more when it is stopped, and waits for what is under way, though not for long', async () => {
  const { clock, dueAt, begun, work, release } = workplace(2)
  dueAt.set('a', 0).set('b', 0).set('later', 2000)
  work.wake()
  await release('b', new Error('not written'))
  let stopped = false
  void work.stop(10_000).then(() => {
    stopped = true
  })
  await clock.advance(9999)
  expect(stopped).toBe(false)
  await release('a')
  expect(stopped).toBe(true)
  await clock.advance(120_000)
  expect(begun).toEqual(['a', 'b'])
  expect(clock.waiting).toBe(0)

  const impatient = workplace(1)
  impatient.dueAt.set('a', 0)
  impatient.work.wake()
  const over = impatient.work.stop(10_000)
  await impatient.clock.advance(10_000)
  await over
})

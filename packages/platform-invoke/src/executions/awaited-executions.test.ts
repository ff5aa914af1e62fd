import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import type { NewExecution } from '../store/execution.ts'
import { localExecutions } from '../store/sqlite/local-executions.ts'
import { awaitedExecutions } from './awaited-executions.ts'

/** Opens executions that another platform can end, and counts the reads of this one. */
async function shared(count: number) {
  const clock = manualClock(1_900_000_000_000)
  const store = localExecutions(new DatabaseSync(':memory:'), clock.now())
  const ids = Array.from({ length: count }, (_, at) => `execution-${at}`)
  for (const id of ids) {
    const wanted: NewExecution = {
      ...{ id, functionName: 'order', name: id, input: 'null', tenantId: undefined, trace: undefined },
      ...{ timeout: 60_000, retention: 60_000, parent: undefined },
    }
    await store.start(wanted, clock.now())
  }
  const asked: number[] = []
  const failing = { isOn: false }
  const counted = {
    read: store.read,
    running: (some: readonly string[]) => {
      asked.push(some.length)
      if (failing.isOn)
        return Promise.reject(Object.assign(new Error('no connection'), { code: 'DATABASE_UNAVAILABLE' }))
      return store.running(some)
    },
  }
  const awaited = awaitedExecutions(counted, clock, true)
  const finish = (id: string) =>
    store.change(
      id,
      {},
      ({ execution, now }) => {
        Object.assign(execution, { status: 'SUCCEEDED', endedAt: now })
        return { result: undefined }
      },
      clock.now(),
    )
  return { ...awaited, clock, ids, asked, failing, finish, store }
}

it('one read asks for all executions that wait, at growing intervals up to two seconds', async () => {
  const { end, clock, ids, asked, finish } = await shared(200)
  const never = new AbortController().signal
  const ended = Promise.all(ids.map(id => end(id, never)))
  for (let ms = 0; ms < 10_000; ms += 100) await clock.advance(100)
  expect(asked).toEqual(asked.map(() => 200))
  // After 0.1, 0.3, 0.7, 1.5 and 3.1 seconds, and every two seconds from then on.
  expect(asked).toHaveLength(8)
  for (const id of ids) await finish(id)
  await clock.advance(2000)
  expect((await ended).map(({ id, status }) => `${id} ${status}`)).toEqual(ids.map(id => `${id} SUCCEEDED`))
  const { length } = asked
  await clock.advance(60_000)
  expect(asked).toHaveLength(length)
})

it('an execution that this platform ends needs no look, and one that is unknown ends the wait', async () => {
  const { end, changed, clock, ids, asked, finish } = await shared(1)
  const never = new AbortController().signal
  const ended = end(ids[0]!, never)
  const after = await finish(ids[0]!)
  changed(after!.execution)
  expect(await ended).toMatchObject({ status: 'SUCCEEDED' })
  await expect(end('unknown', never)).rejects.toThrow('The durable execution does not exist.')
  await clock.advance(60_000)
  expect(asked).toEqual([])
})

it('who waits goes on waiting while the storage cannot be reached, until the wait is given up', async () => {
  const { end, stop, clock, ids, asked, failing, finish } = await shared(2)
  const givenUp = new AbortController()
  const [ended, other] = [end(ids[0]!, new AbortController().signal), end(ids[1]!, givenUp.signal)]
  failing.isOn = true
  await clock.advance(100)
  await clock.advance(200)
  expect(asked).toEqual([2, 2])
  givenUp.abort(new Error('no longer'))
  await expect(other).rejects.toThrow('no longer')
  failing.isOn = false
  await finish(ids[0]!)
  await clock.advance(400)
  expect(await ended).toMatchObject({ status: 'SUCCEEDED' })
  stop()
  await expect(end(ids[0]!, new AbortController().signal)).rejects.toThrow('The platform is stopping.')
})

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { type ManualClock, manualClock } from '@signalbox/core/testing'
import { systemRandom } from '@signalbox/platform-runtime'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { localStore } from './local-store.ts'

const inMemory = (clock: ManualClock) => localStore(new DatabaseSync(':memory:'), clock, systemRandom)

it('a local store accepts a clock with fractions of milliseconds', async () => {
  const clock = manualClock(1_700_000_000_000.25)
  const store = inMemory(clock)
  await store.createQueue('orders', { visibilityTimeout: 1000 })
  await store.send('orders', [{ body: 'x' }])
  const [first] = await store.receive('orders', { max: 1, wait: 0 })
  expect(first!.sentAt).toBe(1_700_000_000_000)
  const again = store.receive('orders', { max: 1, wait: 20_000 })
  await clock.advance(1000)
  expect(await again).toMatchObject([{ receiveCount: 2, firstReceivedAt: first!.firstReceivedAt }])
  await store.close()
})

it('changes are acknowledged only when they are on the disk, so that a power cut loses no change', async () => {
  let disk = Promise.resolve()
  const clock = manualClock(1_700_000_000_000)
  const store = localStore(new DatabaseSync(':memory:'), clock, systemRandom, undefined, () => () => disk)
  await store.createQueue('orders')
  await store.send('orders', [{ body: 'x' }])
  const [first] = await store.receive('orders', { max: 1, wait: 0, visibilityTimeout: 0 })
  const { receiptHandle } = first!
  const changes: readonly (() => Promise<unknown>)[] = [
    () => store.createQueue('more'),
    () => store.setAttributes('orders', { delay: 0 }),
    () => store.setTags('orders', { a: 'b' }),
    () => store.send('orders', [{ body: 'y' }]),
    () => store.receive('orders', { max: 1, wait: 0 }),
    () => store.changeVisibility('orders', [{ receiptHandle, timeout: 0 }]),
    () => store.deleteMessages('orders', [receiptHandle]),
    () => store.purge('orders'),
    () => store.deleteQueue('more'),
  ]
  for (const change of changes) {
    let synced = () => {}
    disk = new Promise(resolve => {
      synced = resolve
    })
    let isAcknowledged = false
    const changed = change().then(() => {
      isAcknowledged = true
    })
    await new Promise(setImmediate)
    expect([change.toString(), isAcknowledged]).toEqual([change.toString(), false])
    synced()
    await changed
  }
  await store.close()
})

it('ChangeMessageVisibility accepts an older receipt handle of a standard queue', async () => {
  const store = inMemory(manualClock(1_700_000_000_000))
  await store.createQueue('orders')
  await store.send('orders', [{ body: 'x' }])
  const receive = async (visibilityTimeout: number) =>
    (await store.receive('orders', { max: 1, wait: 0, visibilityTimeout }))[0]
  const older = await receive(0)
  expect(await receive(3000)).toMatchObject({ receiveCount: 2 })
  expect(await receive(3000)).toBeUndefined()
  const change = { receiptHandle: older!.receiptHandle, timeout: 0 }
  expect(await store.changeVisibility('orders', [change])).toEqual([undefined])
  expect(await receive(3000)).toMatchObject({ receiveCount: 3 })
  await store.close()
})

it('ChangeMessageVisibility hides a message until at most 12 hours after it was received', async () => {
  const clock = manualClock(1_700_000_000_000)
  const store = inMemory(clock)
  await store.createQueue('orders')
  await store.send('orders', [{ body: 'x' }])
  const [message] = await store.receive('orders', { max: 1, wait: 0 })
  const change = async (seconds: number) =>
    (
      await store.changeVisibility('orders', [
        { receiptHandle: message!.receiptHandle, timeout: seconds * 1000 },
      ])
    )[0]
  expect(await change(43_200)).toBeUndefined()
  await clock.advance(10_000)
  expect(await change(43_200)).toMatchObject({
    code: 'INVALID_PARAMETER',
    message:
      'Value 43200 for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds].',
  })
  expect(await change(43_190)).toBeUndefined()
  expect(await change(43_201)).toMatchObject({
    message: 'Value 43201 for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and 43200.',
  })
  await store.close()
})

it('a sent message wakes only one of a thousand long polls', async () => {
  const manual = manualClock(1_700_000_000_000)
  let looks = 0
  const clock = {
    now() {
      looks++
      return manual.now()
    },
    wall: manual.wall,
    after: manual.after,
  }
  const store = localStore(new DatabaseSync(':memory:'), clock, systemRandom)
  await store.createQueue('orders')
  const polls = Array.from({ length: 1000 }, () => store.receive('orders', { max: 1, wait: 20_000 }))
  await new Promise(setImmediate)
  looks = 0
  await store.send('orders', [{ body: 'x' }])
  expect(await polls[0]).toMatchObject([{ body: 'x' }])
  await new Promise(setImmediate)
  expect(looks).toBeLessThan(10)
  await store.close()
  expect((await Promise.all(polls)).flat()).toHaveLength(1)
})

it('each long poll gets a message, except those of disconnected clients', async () => {
  const clock = manualClock(1_700_000_000_000)
  const store = inMemory(clock)
  await store.createQueue('orders')
  const stop = new AbortController()
  const poll = (signal?: AbortSignal) => store.receive('orders', { max: 1, wait: 20_000, signal })
  const gone = poll(stop.signal)
  const polls = [poll(), poll(), poll()]
  const sent = store.send('orders', [{ body: '1' }, { body: '2' }])
  stop.abort()
  await sent
  const third = store.send('orders', [{ body: '3', delay: 5000 }])
  await clock.advance(5000)
  await third
  expect((await gone).length + (await Promise.all(polls)).flat().length).toBe(3)
  expect(clock.waiting).toBe(0)
  await store.close()
})

it('queues still deliver messages after the clock was set back while they were closed', async () => {
  using folder = temporaryFolder()
  const open = (clock: ManualClock) =>
    localStore(new DatabaseSync(join(folder.path, 'queues.sqlite')), clock, systemRandom)
  const before = open(manualClock(1_700_000_000_000))
  await before.createQueue('orders', { visibilityTimeout: 30_000 })
  await before.send('orders', [{ body: 'x' }])
  await before.receive('orders', { max: 1, wait: 0 })
  await before.close()
  const clock = manualClock(1_700_000_000_000 - 3_600_000)
  const store = open(clock)
  const waiting = store.receive('orders', { max: 1, wait: 20_000 })
  await clock.advance(20_000)
  expect(await waiting).toEqual([])
  const again = store.receive('orders', { max: 1, wait: 20_000 })
  await clock.advance(12_000)
  expect(await again).toMatchObject([{ body: 'x', receiveCount: 2 }])
  await store.close()
})

it('messages do not expire early if the clock was once years ahead', async () => {
  using folder = temporaryFolder()
  const open = (time: number) =>
    localStore(new DatabaseSync(join(folder.path, 'queues.sqlite')), manualClock(time), systemRandom)
  const ahead = open(2_200_000_000_000)
  await ahead.createQueue('orders')
  await ahead.send('orders', [{ body: 'x' }])
  const [message] = await ahead.receive('orders', { max: 1, wait: 0 })
  await ahead.deleteMessages('orders', [message!.receiptHandle])
  await ahead.close()
  const corrected = open(1_700_000_000_000)
  await corrected.send('orders', [{ body: 'y' }])
  await corrected.close()
  const store = open(1_700_000_001_000)
  expect(await store.receive('orders', { max: 1, wait: 0 })).toMatchObject([
    { body: 'y', sentAt: 1_700_000_000_000 },
  ])
  await store.close()
})

it('a queue can be purged again even if the clock was set back after the last purge', async () => {
  using folder = temporaryFolder()
  const open = (time: number) =>
    localStore(new DatabaseSync(join(folder.path, 'queues.sqlite')), manualClock(time), systemRandom)
  const before = open(1_700_000_000_000)
  await before.createQueue('orders')
  await before.purge('orders')
  await before.close()
  const store = open(1_700_000_000_000 - 3_600_000)
  await store.purge('orders')
  await expect(store.purge('orders')).rejects.toMatchObject({ code: 'PURGE_IN_PROGRESS' })
  await store.close()
})

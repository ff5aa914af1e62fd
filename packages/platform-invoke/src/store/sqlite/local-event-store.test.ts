import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { systemClock } from '@signalbox/core'
import { dataDirectory, freeSpaceOf } from '@signalbox/platform-runtime/storage'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { eventStoreSuite } from '../../testing/event-store-suite.ts'
import { localEventStore } from './local-event-store.ts'

eventStoreSuite('SQLite', clock => localEventStore(new DatabaseSync(':memory:'), clock))

it('events that were taken by a process that has ended are due at once in the next process', async () => {
  using folder = temporaryFolder()
  const open = () => localEventStore(dataDirectory(folder.path).open('invoke'), systemClock)
  const first = open()
  for (const id of ['a', 'b'])
    await first.add({ id, functionName: 'work', payload: '1', clientContext: undefined })
  const [a] = await first.take('work', { max: 1, lease: 1e9 })
  await first.close()
  const second = open()
  const taken = await second.take('work', { max: 9, lease: 1e9 })
  expect(taken.map(({ id, lease }) => [id, lease])).toEqual([
    ['a', a!.lease + 1],
    ['b', 1],
  ])
  await second.close()
})

it('an event store refuses a database written by a later version', () => {
  const database = new DatabaseSync(':memory:')
  database.exec('pragma user_version = 2')
  expect(() => localEventStore(database, systemClock)).toThrow('layout 2')
})

it('events that were accepted run and end on a full disk, which takes no more of them', async () => {
  using folder = temporaryFolder()
  const disk = { free: 80 * 1024 * 1024, total: 100 * 1024 * 1024 }
  const store = localEventStore(dataDirectory(folder.path).open('invoke'), systemClock, database =>
    freeSpaceOf(database, () => ({ ...disk })),
  )
  const add = (id: string) => store.add({ id, functionName: 'work', payload: '1', clientContext: undefined })
  await add('a')
  await add('b')
  disk.free = 0
  await expect(add('c')).rejects.toThrow('The disk is nearly full.')
  const [a, b] = await store.take('work', { max: 9, lease: 1e9 })
  expect(await store.giveBack(a!, { attempts: 1, refusals: 0, failure: undefined, delay: 0 })).toBe(true)
  expect(await store.remove(b!)).toBe(true)
  expect(await store.counts()).toEqual(new Map([['work', 1]]))
  await store.close()
})

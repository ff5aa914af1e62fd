import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { systemClock } from '@signalbox/core'
import { dataDirectory } from '../../../../platform-runtime/src/storage/data-directory.ts'
import { temporaryFolder } from '../../../../platform-runtime/src/testing/temporary-folder.ts'
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

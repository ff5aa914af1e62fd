import { expect, it } from '@jest/globals'
import { systemRandom } from '@signalbox/platform-runtime'
import { openDatabase } from '../database.ts'
import { layOut } from '../layout/lay-out.ts'
import { queuesUnderTest } from '../testing/queues-under-test.ts'
import { testServer } from '../testing/server-suite.ts'
import { queueMoves } from './moves.ts'

const test = testServer()

/** The time that the clock of `queuesUnderTest` shows. */
const sentAt = 1_700_000_000_000

it('a platform that resumes after another one took over its message move task cannot change the task', async () => {
  const chosen = test.options()
  const { store, end } = await queuesUnderTest(chosen)
  await store.createQueue('dead')
  await store.createQueue('orders', { deadLetter: { queue: 'dead', maxReceiveCount: 1 } })
  await store.createQueue('again')
  await store.send('dead', [{ body: 'one' }, { body: 'two' }, { body: 'three' }])
  // If the store stayed open, it would also continue the task.
  await end()
  const database = openDatabase(chosen)
  await layOut(database, chosen.schema)
  const movesOf = (platformId: string) => queueMoves(database, () => sentAt, systemRandom, platformId)
  const [paused, other] = [movesOf('paused'), movesOf('other')]

  const task = await paused.start('dead', { destination: 'again', perSecond: 1 })
  expect(await other.free()).toEqual([])
  expect(await other.step(task)).toEqual({ isRunning: false, to: [] })
  await database.query('update moves set leased_until = 0')
  expect(await other.free()).toEqual([{ task, perSecond: 1 }])
  expect(await other.step(task)).toEqual({ isRunning: true, to: ['again'] })

  expect(await paused.step(task)).toEqual({ isRunning: false, to: [] })
  await paused.fail(task, 'LATE')
  expect(await other.list('dead')).toMatchObject([{ task, status: 'RUNNING', moved: 1 }])
  await database.close()
})

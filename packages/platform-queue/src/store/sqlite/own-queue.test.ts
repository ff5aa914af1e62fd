import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '@signalbox/platform-runtime'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { ownQueueSuite } from '../../testing/own-queue-suite.ts'
import { inMemory } from '../../testing/queue-engines.ts'
import { localStore } from './local-store.ts'

ownQueueSuite('SQLite', inMemory)

it('a redrive continues after a restart', async () => {
  using folder = temporaryFolder()
  const clock = manualClock(1_700_000_000_000)
  const open = () => localStore(new DatabaseSync(join(folder.path, 'queues.sqlite')), clock, systemRandom)
  const store = open()
  await store.createQueue('dead')
  await store.createQueue('orders', { deadLetter: { queue: 'dead', maxReceiveCount: 1 } })
  for (let i = 0; i < 3; i++) await store.send('orders', Array(1000).fill({ body: 'x' }))
  await store.receive('orders', { max: 3000, wait: 0, visibilityTimeout: 0 })
  await store.receive('orders', { max: 1, wait: 0 })
  const moved = async (of: typeof store) => (await of.moves('dead'))[0]!
  const started = store.startMove('dead')
  while ((await moved(store)).moved === 0) await setImmediate()
  expect(await moved(store)).toMatchObject({ moved: 1000, toMove: 3000 })
  await store.close()
  await started
  const again = open()
  while ((await moved(again)).status === 'RUNNING') await setImmediate()
  expect(await moved(again)).toMatchObject({ status: 'COMPLETED', moved: 3000 })
  await again.close()
})

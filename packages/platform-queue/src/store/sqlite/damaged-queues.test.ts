import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '@signalbox/platform-runtime'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { localStore } from './local-store.ts'

it('a receive request that finds damaged messages names the file and says what to do', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'queues.sqlite')
  const open = () => localStore(new DatabaseSync(path), manualClock(1_700_000_000_000), systemRandom)
  const store = open()
  await store.createQueue('orders')
  await store.send('orders', Array(1000).fill({ body: 'x'.repeat(1000) }))
  await store.close()
  const bytes = readFileSync(path)
  // The first pages have the queues, so that the store can be opened.
  writeFileSync(path, bytes.fill(1, bytes.length / 2))
  const damaged = open()
  const received = damaged.receive('orders', { max: 1000, wait: 0 })
  await expect(received).rejects.toThrow(`The queues in ${path} are damaged: `)
  await expect(received).rejects.toThrow('Restore a copy of the file, or move it away')
  await damaged.close()
})

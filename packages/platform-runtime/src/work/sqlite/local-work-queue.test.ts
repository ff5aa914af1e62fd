import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { freeSpaceOf } from '../../storage/free-space.ts'
import { prepareLatestTime } from '../../storage/latest-time.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { workQueueSuite } from '../testing/work-queue-suite.ts'
import { localWorkQueue } from './local-work-queue.ts'
import { workLayout } from './work-table.ts'

const kind = {
  what: 'The jobs',
  layOut(database: DatabaseSync) {
    database.exec(`pragma journal_mode = wal; ${workLayout}`)
    prepareLatestTime(database)
  },
  whenFull: () => new Error('full'),
}
const opened = (path: string, now = 0, measure?: typeof freeSpaceOf) =>
  localWorkQueue(new DatabaseSync(path), kind, now, measure)

workQueueSuite('SQLite', async () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'work.sqlite')
  const queues = [opened(path)]
  return {
    queue: queues[0]!,
    async crash() {
      await queues[0]!.close()
      queues.push(opened(path))
      return queues[1]!
    },
    async end() {
      await queues.at(-1)!.close()
      folder[Symbol.dispose]()
    },
  }
})

it('work goes on and ends on a full disk, which takes no more work', async () => {
  using folder = temporaryFolder()
  const disk = { free: 80 * 1024 * 1024, total: 100 * 1024 * 1024 }
  const queue = opened(join(folder.path, 'work.sqlite'), 0, database =>
    freeSpaceOf(database, () => ({ ...disk })),
  )
  for (const key of ['a', 'b']) await queue.put({ queue: 'jobs', key, data: '' }, 1000)
  disk.free = 0
  await expect(queue.put({ queue: 'jobs', key: 'c', data: '' }, 1000)).rejects.toThrow('full')
  const [a, b] = (await queue.claim('jobs', 1000, 9)).work
  expect(await queue.retry(a!, 'new', 2000, 1000)).toBe(true)
  expect(await queue.finish(b!, 1000)).toBe(true)
  expect(await queue.counts()).toEqual(new Map([['jobs', 1]]))
  await queue.close()
})

it('work waits no longer than when it was stored if the clock is set back while no process uses the database', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'work.sqlite')
  const ahead = opened(path, 9_000_000)
  await ahead.put({ queue: 'jobs', key: 'a', data: '' }, 9_000_000)
  await ahead.put({ queue: 'jobs', key: 'b', data: '' }, 9_000_000)
  // The time is stored even if each change comes soon after the last one.
  for (let now = 9_000_300; now <= 9_009_000; now += 300)
    await ahead.put({ queue: 'rest', key: `${now}`, data: '' }, now)
  const [a] = (await ahead.claim('jobs', 9_009_000, 1)).work
  await ahead.retry(a!, '', 9_069_000, 9_009_000)
  await ahead.close()
  const correct = opened(path, 500_000)
  expect(await correct.claim('jobs', 500_000, 9)).toMatchObject({
    work: [{ key: 'b' }],
    nextAt: 560_600,
  })
  await correct.close()
})

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { systemRandom } from '@signalbox/platform-runtime'
import { freeSpaceOf } from '@signalbox/platform-runtime/storage'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { QueueStoreError } from '../queue-store-error.ts'
import { openQueueFile } from './queue-file.ts'

const now = 1_700_000_000_000

/** Returns a database with a queue and a limited number of pages, so that writes fail as on a full disk. */
function smallFile(folder: string) {
  const database = new DatabaseSync(join(folder, 'queues.sqlite'))
  const file = openQueueFile(database, systemRandom)
  file.createQueue('orders', now)
  database.exec('pragma max_page_count = 100')
  return { database, file }
}

it('a full disk makes sends fail without losing a message, and sends succeed when there is space again', () => {
  using folder = temporaryFolder()
  const { database, file } = smallFile(folder.path)
  const stored: string[] = []
  let refused: unknown
  while (refused === undefined) {
    try {
      for (const sent of file.send('orders', [{ body: 'x'.repeat(10_000) }, { body: 'y' }], now)) {
        if (!(sent instanceof QueueStoreError)) stored.push(sent.messageId)
      }
    } catch (error) {
      refused = error
    }
  }
  expect(refused).toBeInstanceOf(QueueStoreError)
  expect(refused).toMatchObject({
    code: 'STORAGE_FULL',
    message: 'Nothing can be stored: the disk is full.',
  })
  expect(stored.length).toBeGreaterThan(10)
  expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  expect(file.depth('orders', now)).toMatchObject({ visible: stored.length })

  // Deleting messages needs free space, so the file is allowed to grow again.
  database.exec('pragma max_page_count = 110')
  const received = file.receive('orders', now, { max: 1000 })
  expect(received.map(({ messageId }) => messageId).sort()).toEqual([...stored].sort())
  file.deleteMessages(
    'orders',
    received.map(({ receiptHandle }) => receiptHandle),
    now,
  )
  expect(file.send('orders', [{ body: 'z' }], now)[0]).not.toBeInstanceOf(QueueStoreError)
  file.close()
})

it('sends succeed again after the messages that filled the disk are deleted', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'queues.sqlite')
  const disk = 20 * 1024 * 1024
  const used = (name: string) => statSync(name, { throwIfNoEntry: false })?.size ?? 0
  const spaceOf = () => ({ free: disk - used(path) - used(`${path}-wal`), total: disk })
  const file = openQueueFile(
    new DatabaseSync(path),
    systemRandom,
    () => {},
    database => freeSpaceOf(database, spaceOf),
  )
  file.createQueue('orders', now)
  const body = 'x'.repeat(100_000)
  const fill = () => {
    for (let sent = 0; ; sent++)
      try {
        file.send('orders', [{ body }], now)
      } catch (error) {
        expect(error).toMatchObject({ code: 'STORAGE_FULL' })
        return sent
      }
  }
  const drain = () => {
    for (;;) {
      const received = file.receive('orders', now, { max: 10 })
      if (received.length === 0) return
      file.deleteMessages(
        'orders',
        received.map(({ receiptHandle }) => receiptHandle),
        now,
      )
    }
  }
  const first = fill()
  expect(first).toBeGreaterThan(50)
  for (let round = 0; round < 3; round++) {
    drain()
    expect(fill()).toBeGreaterThan(first / 2)
  }
  file.close()
})

it('CreateQueue on a full disk fails and creates no queue', () => {
  using folder = temporaryFolder()
  const { file } = smallFile(folder.path)
  const create = () => {
    for (let number = 0; ; number++) file.createQueue(`queue-${number}-${'x'.repeat(50)}`, now)
  }
  expect(create).toThrow('the disk is full')
  const names = file.queueNames()
  file.close()
  const again = openQueueFile(new DatabaseSync(join(folder.path, 'queues.sqlite')), systemRandom)
  expect(again.queueNames()).toEqual(names)
  again.close()
})

it('queues keep messages, receipt handles, counts, groups and deduplication ids across a restart', () => {
  using folder = temporaryFolder()
  const open = () => openQueueFile(new DatabaseSync(join(folder.path, 'queues.sqlite')), systemRandom)
  const message = (body: string, group: string) => ({ body, group, deduplicationId: body })
  const first = open()
  first.createQueue('orders.fifo', now, { visibilityTimeout: 1000 })
  first.send('orders.fifo', [message('a1', 'a'), message('a2', 'a'), message('b1', 'b')], now)
  const [held] = first.receive('orders.fifo', now, { max: 1 })
  first.close()

  const second = open()
  expect(second.attributes('orders.fifo').visibilityTimeout).toBe(1000)
  expect(second.receive('orders.fifo', now, { max: 10 }).map(({ body }) => body)).toEqual(['b1'])
  second.send('orders.fifo', [message('a1', 'a')], now)
  expect(second.deleteMessages('orders.fifo', [held!.receiptHandle], now)).toEqual([undefined])
  expect(second.receive('orders.fifo', now, { max: 10 }).map(({ body }) => body)).toEqual(['a2'])
  second.close()
})

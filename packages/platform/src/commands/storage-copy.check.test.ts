import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { maildirs } from '@signalbox/platform-mail/testing/parts'
import { postgresEngine } from '@signalbox/platform-postgres'
import { testServer } from '@signalbox/platform-postgres/testing/server-suite'
import { localKeys } from '@signalbox/platform-runtime/platform/testing/parts'
import { dataDirectory } from '@signalbox/platform-runtime/storage'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import type { createPlatform } from '../platform.ts'
import { fillPlatform, openedPlatform, projectToCopy, QueueUrl } from '../testing/project-to-copy.ts'

const database = testServer()
const key = Buffer.alloc(32, 7).toString('base64')

beforeEach(() => {
  process.env.SIGNALBOX_USER_POOL_KEY = key
})
afterEach(() => {
  delete process.env.SIGNALBOX_USER_POOL_KEY
})

/** Reads the data of a platform through its listeners, without values that change at every start. */
async function contents(
  made: ReturnType<typeof createPlatform>,
  held: { ReceiptHandle?: string | undefined },
) {
  const { platform, sqs } = await openedPlatform(made)
  const inbox = await platform.mail.inbox('bob@office.example')
  const mails = await Promise.all(
    inbox.map(async mail => [
      mail.id,
      mail.deliveredAt,
      createHash('sha256')
        .update(await platform.mail.read(mail))
        .digest('hex'),
    ]),
  )
  const attributes = async (name: string) =>
    (await sqs.getQueueAttributes({ QueueUrl: QueueUrl(name), AttributeNames: ['All'] })).Attributes
  const tokens = await platform.userPools.get('staff').signIn('ann', 'Right-7even')
  // The receipt handle of a message in flight stays valid.
  await sqs.changeMessageVisibility({
    QueueUrl: QueueUrl('steps.fifo'),
    ReceiptHandle: held.ReceiptHandle!,
    VisibilityTimeout: 500,
  })
  const duplicate = await sqs.sendMessage({
    QueueUrl: QueueUrl('steps.fifo'),
    MessageBody: 'step 1',
    MessageGroupId: 'group-1',
  })
  const orders = await attributes('orders')
  const steps = await attributes('steps.fifo')
  await platform.stop()
  return {
    orders,
    steps,
    duplicate: duplicate.MessageId,
    mails: mails.sort(),
    hasTokens: tokens.accessToken !== undefined,
  }
}

it('storage copy copies all data from files to a database and back, even if it is interrupted', async () => {
  using folder = temporaryFolder()
  const there = projectToCopy(folder.path, database.server.url, 'copied', 'data')
  const held = await fillPlatform(there.inFiles())
  const before = await contents(there.inFiles(), held)
  expect(before.orders).toMatchObject({ ApproximateNumberOfMessages: '120' })
  expect(before.steps).toMatchObject({ ApproximateNumberOfMessagesNotVisible: '1' })
  expect(before.mails).toHaveLength(20)

  // Each of these runs stops after a different number of batches.
  for (const stopAfter of [1, 6, 9, 14])
    expect(await there.copy('files', 'database', stopAfter)).toMatchObject({
      code: 130,
      printed: expect.stringContaining('The same command continues the copy.'),
    })
  await expect(there.inDatabase().start()).rejects.toThrow(
    'The schema copied of the database holds only a part of the data',
  )
  expect(await there.copy('database', 'files')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('holds only a part of the data'),
  })
  expect(await there.copy('files', 'database')).toMatchObject({
    code: 0,
    printed: expect.stringMatching(
      /queues: messages: 126 copied, digest [0-9a-f]{16} on both sides[\s\S]*mails in mailboxes: 40 copied/,
    ),
  })
  expect(await contents(there.inDatabase(), held)).toEqual(before)

  // The second export finds that all mails already exist, and does not write them again.
  for (const _ of [1, 2])
    expect(await there.mailExport('exported')).toEqual({
      code: 0,
      printed: `40 mails are in ${join(folder.path, 'exported')}.`,
    })
  const exported = maildirs(join(folder.path, 'exported'))
  const mails = await exported.list('bob@office.example')
  expect(mails.map(({ id, deliveredAt }) => [id, deliveredAt]).sort()).toEqual(
    before.mails.map(mail => mail.slice(0, 2)),
  )
  expect(String(await exported.read(mails[0]!))).toContain('Subject: Mail')

  using other = temporaryFolder()
  const back = projectToCopy(other.path, database.server.url, 'copied', 'restored')
  expect(await back.copy('database', 'files', 5)).toMatchObject({ code: 130 })
  await expect(back.inFiles().start()).rejects.toThrow('restored holds only a part of the data')
  expect(await back.copy('database', 'files')).toMatchObject({ code: 0, errors: '' })
  expect(await contents(back.inFiles(), held)).toEqual(before)
})

it('storage copy refuses a target with data that the source does not have, and a database in use', async () => {
  using folder = temporaryFolder()
  const there = projectToCopy(folder.path, database.server.url, 'other', 'data')
  await fillPlatform(there.inFiles())
  await fillPlatform(there.inDatabase())
  const { keys, close } = localKeys(dataDirectory(join(folder.path, 'data')))
  await keys.insert({ id: 'AKIA', identity: 'ann', sealed: 'sealed', created: 1 })
  close()
  expect(await there.copy('files', 'database')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('The target has other'),
  })
  // Access keys are copied before queues, but the refused copy has not written any.
  expect(await database.query('select id from other.access_keys')).toEqual([])
  const { platform } = await openedPlatform(there.inDatabase())
  expect(await there.copy('files', 'database')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('Platforms are using the database'),
  })
  await platform.stop()
})

it('during a copy, no platform can start on the database, and no second copy can run', async () => {
  using folder = temporaryFolder()
  const there = projectToCopy(folder.path, database.server.url, 'reserved', 'data')
  await fillPlatform(there.inFiles())
  const copying = await postgresEngine(
    { url: database.server.url, schema: 'reserved', connections: 1 },
    { clock: undefined },
  )
  const { check } = await copying.reserve!()
  await expect(there.inDatabase().start()).rejects.toThrow('Another process has reserved the database')
  expect(await there.copy('files', 'database')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('Another process has reserved the database'),
  })
  await check()
  // The server ends the connection that holds the reservation.
  await database.query(
    "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database is not null",
  )
  await expect(check()).rejects.toThrow('The database is not available')
  await copying.close()
  expect(await there.copy('files', 'database')).toMatchObject({ code: 0 })
})

it('storage copy refuses files with secrets if their encryption key is not configured', async () => {
  using folder = temporaryFolder()
  const there = projectToCopy(folder.path, database.server.url, 'keys', 'data')
  delete process.env.SIGNALBOX_USER_POOL_KEY
  const platform = there.inFiles()
  await platform.start()
  await platform.stop()
  expect(await there.copy('files', 'database')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('Set the environment variable SIGNALBOX_USER_POOL_KEY to the contents'),
  })
})

it('storage copy refuses a target that is also the source, and a source without data', async () => {
  using folder = temporaryFolder()
  const there = projectToCopy(folder.path, database.server.url, 'none', 'data')
  expect(await there.copy('files', 'files')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('files database, or database files'),
  })
  expect(await there.copy('files', 'database')).toMatchObject({
    errors: expect.stringContaining('There is no data in'),
  })
})

it('storage copy refuses a source without records, such as the wrong schema, and leaves an empty target', async () => {
  using folder = temporaryFolder()
  const project = projectToCopy(folder.path, database.server.url, 'never_used', 'data')
  expect(await project.copy('database', 'files')).toMatchObject({
    code: 2,
    printed: '',
    errors:
      'The database holds no records, so nothing was copied. Does the configuration name the right one?',
  })
  await (await openedPlatform(project.inFiles())).platform.stop()
})

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { createTransport } from 'nodemailer'
import { maildirs } from '../../../platform-mail/src/mailboxes/maildirs.ts'
import { testServer } from '../../../platform-postgres/src/testing/server-suite.ts'
import { sqsClient } from '../../../platform-queue/src/testing/queue-engines.ts'
import { run } from '../../../platform-runtime/src/command-line/run.ts'
import { temporaryFolder } from '../../../platform-runtime/src/testing/temporary-folder.ts'
import { createPlatform } from '../platform.ts'
import type { Config } from '../source-modules.ts'
import { captureTerminal } from '../testing/capture-terminal.ts'
import { commands, sourceCommands } from './all.ts'

const database = testServer()
const key = Buffer.alloc(32, 7).toString('base64')

beforeEach(() => {
  process.env.SIGNALBOX_USER_POOL_KEY = key
})
afterEach(() => {
  delete process.env.SIGNALBOX_USER_POOL_KEY
})

const parts = {
  queues: { orders: {}, 'steps.fifo': { contentBasedDeduplication: true }, dead: {} },
  queueListener: { port: 0 },
  mail: { port: 0, mailboxes: { 'office.example': '*' }, relay: 'keep' },
  control: { port: 0 },
  userPools: { staff: { groups: { admins: {} }, clients: { web: { flows: ['admin', 'password'] } } } },
  userPoolListener: { port: 0 },
  grace: 1,
} as const

/** Returns a project that can keep the same data in files and in a database. */
function project(path: string, schema: string, dataDir: string) {
  const storage = { postgres: { url: database.server.url, schema } }
  writeFileSync(
    join(path, 'signalbox.config.ts'),
    `export default ${JSON.stringify({ ...parts, storage, dataDir })}`,
  )
  const open = (more: object) => createPlatform({ ...parts, ...more } as Config, { root: path })
  return {
    inFiles: () => open({ dataDir }),
    inDatabase: () => open({ storage, dataDir: `${dataDir}-of-box` }),
    async mailExport(folder: string, ...more: readonly string[]) {
      const captured = captureTerminal(path)
      const all = [...commands, ...(await sourceCommands())]
      expect(await run(['mail', 'export', folder, ...more], all, '1', captured.terminal)).toBe(0)
      return captured.printed
    },
    async copy(from: string, to: string, stopAfter = Number.POSITIVE_INFINITY) {
      const stop = new AbortController()
      let shown = 0
      const progress = () => {
        if (++shown > stopAfter) stop.abort()
      }
      const captured = captureTerminal(path, stop.signal, { progress })
      const all = [...commands, ...(await sourceCommands())]
      const code = await run(['storage', 'copy', from, to], all, '1', captured.terminal)
      return { code, printed: captured.printed, errors: captured.printedErrors }
    },
  }
}

async function opened(platform: ReturnType<typeof createPlatform>) {
  const addresses = await platform.start()
  const urlOf = (name: string) => addresses.find(({ source }) => source === name)!.url
  const sqs = sqsClient(urlOf('queues'))
  return { platform, sqs, mailPort: Number(new URL(urlOf('mail')).port) }
}

const QueueUrl = (name: string) => `http://localhost/000000000000/${name}`

/** Fills a platform with data through its listeners, and stops it. */
async function fill(made: ReturnType<typeof createPlatform>) {
  const { platform, sqs, mailPort } = await opened(made)
  for (let number = 0; number < 120; number++)
    await sqs.sendMessage({ QueueUrl: QueueUrl('orders'), MessageBody: `order ${number} ä` })
  for (let number = 0; number < 6; number++)
    await sqs.sendMessage({
      QueueUrl: QueueUrl('steps.fifo'),
      MessageBody: `step ${number}`,
      MessageGroupId: `group-${number % 2}`,
    })
  const { Messages = [] } = await sqs.receiveMessage({
    QueueUrl: QueueUrl('steps.fifo'),
    MaxNumberOfMessages: 1,
    VisibilityTimeout: 600,
  })
  const transport = createTransport({ host: '127.0.0.1', port: mailPort, ignoreTLS: true })
  for (let number = 0; number < 20; number++)
    await transport.sendMail({
      from: 'ann@far.example',
      to: ['bob@office.example', 'cy@other.example'],
      subject: `Mail ${number}`,
      text: 'Hello, Wörld',
      attachments: [{ filename: 'a.bin', content: Buffer.from([0, 1, 254, 255, number]) }],
    })
  transport.close()
  while ((await platform.mail.inbox('bob@office.example')).length < 20)
    await new Promise(resolve => setTimeout(resolve, 10))
  const { users } = platform.userPools.get('staff')
  for (const name of ['ann', 'bob']) await users.add(name, { password: 'Right-7even' })
  await platform.stop()
  return Messages[0]!
}

/** Reads the data of a platform through its listeners, without values that change at every start. */
async function contents(
  made: ReturnType<typeof createPlatform>,
  held: { ReceiptHandle?: string | undefined },
) {
  const { platform, sqs } = await opened(made)
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
  const there = project(folder.path, 'copied', 'data')
  const held = await fill(there.inFiles())
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
  expect(await there.copy('files', 'database')).toMatchObject({
    code: 0,
    printed: expect.stringMatching(
      /queues: messages: 126 copied, digest [0-9a-f]{16} on both sides[\s\S]*mails in mailboxes: 40 copied/,
    ),
  })
  expect(await contents(there.inDatabase(), held)).toEqual(before)

  // The second export finds that all mails already exist, and does not write them again.
  for (const _ of [1, 2])
    expect(await there.mailExport('exported')).toBe(`40 mails are in ${join(folder.path, 'exported')}.`)
  const exported = maildirs(join(folder.path, 'exported'))
  const mails = await exported.list('bob@office.example')
  expect(mails.map(({ id, deliveredAt }) => [id, deliveredAt]).sort()).toEqual(
    before.mails.map(mail => mail.slice(0, 2)),
  )
  expect(String(await exported.read(mails[0]!))).toContain('Subject: Mail')

  using other = temporaryFolder()
  const back = project(other.path, 'copied', 'restored')
  expect(await back.copy('database', 'files', 5)).toMatchObject({ code: 130 })
  expect(await back.copy('database', 'files')).toMatchObject({ code: 0, errors: '' })
  expect(await contents(back.inFiles(), held)).toEqual(before)
}, 120_000)

it('storage copy refuses a target that holds other data, and a database in use', async () => {
  using folder = temporaryFolder()
  const there = project(folder.path, 'other', 'data')
  await fill(there.inFiles())
  await fill(there.inDatabase())
  expect(await there.copy('files', 'database')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('The target has other'),
  })
  const { platform } = await opened(there.inDatabase())
  expect(await there.copy('files', 'database')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('Platforms are using the database'),
  })
  await platform.stop()
}, 120_000)

it('storage copy refuses files if the encryption key of their secrets is not configured', async () => {
  using folder = temporaryFolder()
  const there = project(folder.path, 'keys', 'data')
  delete process.env.SIGNALBOX_USER_POOL_KEY
  const platform = there.inFiles()
  await platform.start()
  await platform.stop()
  expect(await there.copy('files', 'database')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('Set the environment variable SIGNALBOX_USER_POOL_KEY to the contents'),
  })
})

it('storage copy refuses the same source and target, and a source without data', async () => {
  using folder = temporaryFolder()
  const there = project(folder.path, 'none', 'data')
  expect(await there.copy('files', 'files')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('files database, or database files'),
  })
  expect(await there.copy('files', 'database')).toMatchObject({
    errors: expect.stringContaining('There is no data in'),
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqsClient } from '@signalbox/platform-queue/testing/queue-engines'
import { run } from '@signalbox/platform-runtime/command-line'
import { createTransport } from 'nodemailer'
import { allCommands } from '../commands/all.ts'
import { createPlatform } from '../platform.ts'
import type { Config } from '../source-modules.ts'
import { captureTerminal } from './capture-terminal.ts'

const parts = {
  queues: { orders: {}, 'steps.fifo': { contentBasedDeduplication: true }, dead: {} },
  queueListener: { port: 0 },
  mail: { port: 0, domains: { 'office.example': { to: 'mailboxes' } }, relay: 'keep' },
  control: { port: 0 },
  userPools: { staff: { groups: { admins: {} }, clients: { web: { flows: ['admin', 'password'] } } } },
  userPoolListener: { port: 0 },
  grace: 1,
} as const

/** Returns a project whose data can be copied between files and a database. */
export function projectToCopy(path: string, url: string, schema: string, dataDir: string) {
  const storage = { postgres: { url, schema } }
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
      const all = await allCommands()
      const code = await run(['mail', 'export', folder, ...more], all, '1', captured.terminal)
      return { code, printed: captured.printed }
    },
    async copy(from: string, to: string, stopAfter = Number.POSITIVE_INFINITY) {
      const stop = new AbortController()
      let shown = 0
      const progress = () => {
        if (++shown > stopAfter) stop.abort()
      }
      const captured = captureTerminal(path, stop.signal, { progress })
      const all = await allCommands()
      const code = await run(['storage', 'copy', from, to], all, '1', captured.terminal)
      return { code, printed: captured.printed, errors: captured.printedErrors }
    },
  }
}

/** Starts a platform. Returns a client of its queues, and the port of its mail server. */
export async function openedPlatform(platform: ReturnType<typeof createPlatform>) {
  const addresses = await platform.start()
  const urlOf = (name: string) => addresses.find(({ source }) => source === name)!.url
  const sqs = sqsClient(urlOf('queues'))
  return { platform, sqs, mailPort: Number(new URL(urlOf('mail')).port) }
}

/** Returns a URL that a client of any platform can use for a queue. */
export const QueueUrl = (name: string) => `http://localhost/000000000000/${name}`

/** Fills a platform with data through its listeners, and stops it. */
export async function fillPlatform(made: ReturnType<typeof createPlatform>) {
  const { platform, sqs, mailPort } = await openedPlatform(made)
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

import { chmodSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { run } from '@signalbox/platform-runtime/command-line'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { unprivileged } from '@signalbox/platform-runtime/testing/unprivileged'
import { createTransport } from 'nodemailer'
import { createPlatform } from '../platform.ts'
import { captureTerminal } from '../testing/capture-terminal.ts'
import { allCommands, commands } from './all.ts'

const errorsPage = 'https://github.com/signalbox/signalbox/blob/main/docs/errors.md'

const config = {
  functions: {},
  queues: { orders: {} },
  queueListener: { port: 0 },
  control: { port: 0 },
  mail: { port: 0, domains: { 'office.example': { to: 'mailboxes' as const } }, relay: 'keep' as const },
}

it.each([
  [
    'queues',
    'The queues',
    'Restore a copy of the file, or move it away to start with empty queues.',
    [['send', 'orders', 'x'], ['redrive', 'orders'], ['queues']],
  ],
  [
    'mail',
    'The mails',
    'Put a copy of the file back, or move it away: mailboxes keep delivered mail, and queued mail is lost.',
    [['mail', 'status']],
  ],
])(
  'commands and the platform report a damaged %s.sqlite with its path and a remedy',
  async (name, what, remedy, all) => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'signalbox.config.ts'), `export default ${JSON.stringify(config)}`)
    const setup = () => createPlatform(config, { root: folder.path })
    const first = setup()
    await first.start()
    await first.stop()
    const path = join(folder.path, '.signalbox', `${name}.sqlite`)
    writeFileSync(path, 'x'.repeat(5000))
    const sentence = `${what} in ${path} are damaged: file is not a database. ${remedy}`
    for (const args of all) {
      const captured = captureTerminal(folder.path)
      expect(await run(args, commands, '1', captured.terminal, allCommands)).toBe(2)
      expect(captured.printedErrors).toBe(`${sentence}\nsee ${errorsPage}#DAMAGED_FILE`)
    }
    await expect(setup().start()).rejects.toThrow(sentence)
    rmSync(path)
    const last = setup()
    await last.start()
    await last.stop()
  },
)

it.each([
  ['queues', [['send', 'orders', 'x'], ['redrive', 'orders'], ['queues']]],
  ['mail', [['mail', 'status']]],
  ['invocation-log', [['log']]],
])('commands and the platform report an emptied %s.sqlite as damaged, not as new', async (name, all) => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'signalbox.config.ts'), `export default ${JSON.stringify(config)}`)
  const setup = () => createPlatform(config, { root: folder.path })
  const start = async () => {
    const platform = setup()
    await platform.start()
    await platform.stop()
  }
  await start()
  const path = join(folder.path, '.signalbox', `${name}.sqlite`)
  truncateSync(path)
  const sentence = `${path} is empty, but held data`
  for (const args of all) {
    const captured = captureTerminal(folder.path)
    expect(await run(args, commands, '1', captured.terminal, allCommands)).toBe(2)
    expect(captured.printedErrors).toContain(sentence)
  }
  await expect(start()).rejects.toThrow(sentence)
  rmSync(path)
  await start()
})

it.each([
  [
    'user-pools',
    'The user pools',
    'Put a copy of the file back, or move it away: then all user pools begin empty.',
  ],
  ['invoke', 'The events', 'Restore a copy of the file, or move it away to start without them.'],
])('the platform reports a damaged %s.sqlite with its path and a remedy', async (name, what, remedy) => {
  using folder = temporaryFolder()
  const setup = () =>
    createPlatform(
      {
        functions: { work: { handler: () => null } },
        userPools: { staff: { clients: { web: {} } } },
        userPoolListener: { port: 0 },
        invoke: { port: 0 },
      },
      { root: folder.path },
    )
  const first = setup()
  await first.start()
  await first.stop()
  const path = join(folder.path, '.signalbox', `${name}.sqlite`)
  writeFileSync(path, 'x'.repeat(5000))
  const sentence = `${what} in ${path} are damaged: file is not a database. ${remedy}`
  await expect((async () => setup().start())()).rejects.toThrow(sentence)
})

it('commands and the platform report a damaged access.sqlite with its path and a remedy', async () => {
  using folder = temporaryFolder()
  const guarded = { ...config, access: { identities: { shop: { rights: {} } } } }
  writeFileSync(join(folder.path, 'signalbox.config.ts'), `export default ${JSON.stringify(guarded)}`)
  const signalbox = async (...args: string[]) => {
    const captured = captureTerminal(folder.path)
    return [await run(args, commands, '1', captured.terminal, allCommands), captured.printedErrors]
  }
  expect(await signalbox('access', 'add', 'shop')).toEqual([0, ''])
  const path = join(folder.path, '.signalbox', 'access.sqlite')
  writeFileSync(path, 'x'.repeat(5000))
  const sentence = `The access keys in ${path} are damaged: file is not a database. Restore a copy of the file, or move it away and make new keys with \`signalbox access add\`.`
  for (const args of [
    ['access', 'list'],
    ['access', 'add', 'shop'],
    ['access', 'revoke', 'SBAK'],
  ])
    expect(await signalbox(...args)).toEqual([2, `${sentence}\nsee ${errorsPage}#DAMAGED_FILE`])
  const setup = () => createPlatform(guarded, { root: folder.path })
  await expect((async () => setup().start())()).rejects.toThrow(sentence)
  rmSync(path)
  const last = setup()
  await last.start()
  await last.stop()
})

it('a running platform reports the path of a database file with damaged pages', async () => {
  using folder = temporaryFolder()
  const setup = (onNotice = (_: string) => {}) => createPlatform(config, { root: folder.path, onNotice })
  const first = setup()
  await first.start()
  await first.stop()
  const path = join(folder.path, '.signalbox', 'mail.sqlite')
  damage(path, 'recipients')
  const notices: string[] = []
  const platform = setup(text => notices.push(text))
  await using _stopped = { [Symbol.asyncDispose]: () => platform.stop() }
  const addresses = await platform.start()
  const { port } = new URL(addresses.find(({ source }) => source === 'mail')!.url)
  const smtp = createTransport({ host: '127.0.0.1', port: Number(port), ignoreTLS: true })
  const sent = smtp.sendMail({ from: 'ann@far.example', to: 'bob@office.example', subject: 'Hi' })
  await expect(sent).rejects.toThrow(/^[^/]*$/)
  smtp.close()
  const sentence = `The mails in ${path} are damaged: database disk image is malformed. Put a copy`
  expect(notices.join()).toContain(sentence)
  await expect(platform.mail.states()).rejects.toThrow(sentence)
})

/** Overwrites the first page of a table. */
function damage(path: string, table: string): void {
  const database = new DatabaseSync(path)
  const { rootpage } = database.prepare('select rootpage from sqlite_schema where name = ?').get(table)!
  const { page_size } = database.prepare('pragma page_size').get()!
  database.close()
  const bytes = readFileSync(path)
  bytes.fill(1, (Number(rootpage) - 1) * Number(page_size), Number(rootpage) * Number(page_size))
  writeFileSync(path, bytes)
}

it('a platform reports a read-only data directory with its path and the reason', async () => {
  using folder = temporaryFolder()
  const data = join(folder.path, '.signalbox')
  const first = createPlatform(config, { root: folder.path })
  await first.start()
  await first.stop()
  for (const path of [folder.path, data]) chmodSync(path, 0o755)
  for (const name of ['invocation-log', 'mail', 'queues', 'lock'])
    chmodSync(join(data, `${name}.sqlite`), 0o444)
  unprivileged(() =>
    expect(() => createPlatform(config, { root: folder.path })).toThrow(
      `The data directory ${data} cannot be used: ${data}/invocation-log.sqlite: attempt to write a readonly database.`,
    ),
  )
})

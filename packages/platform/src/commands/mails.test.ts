import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { run } from '../command-line/run.ts'
import { createPlatform } from '../platform.ts'
import { captureTerminal } from '../testing/capture-terminal.ts'
import { spawnCommand } from '../testing/spawned-command.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { commands } from './all.ts'

const config = {
  functions: {},
  mail: { port: 0, mailboxes: { 'office.example': ['ann', 'gina'] }, relay: 'keep' },
  control: { port: 0 },
} as const

const bouncing = () => ({
  actions: [
    {
      action: { type: 'BOUNCE', parameters: { bounceMessage: 'Gone.' } },
      recipients: ['gina@office.example'],
    },
    { action: { type: 'DEFAULT' }, allRecipients: true },
  ],
})

function project(more: object = {}) {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder.path, 'signalbox.config.js'),
    `export default ${JSON.stringify({ ...config, ...more })}`,
  )
  const signalbox = async (...args: string[]) => {
    const captured = captureTerminal(folder.path)
    const exitCode = await run(args, commands, '1', captured.terminal)
    return { exitCode, printed: captured.printed, complained: captured.complained }
  }
  return { ...folder, signalbox }
}

async function boxIn(path: string, handler?: (event: never) => unknown) {
  const rules = [{ direction: 'INBOUND', function: 'sort' }] as const
  const platform = createPlatform(
    handler === undefined
      ? config
      : { ...config, functions: { sort: { handler } }, mail: { ...config.mail, rules } },
    { root: path },
  )
  await platform.start()
  return {
    platform,
    /** Resolves when all is decided and delivered. */
    async settled() {
      const open = new Set(['undecided', 'delivering'])
      while (
        (await platform.mail.states()).some(each => each.recipients.some(({ state }) => open.has(state)))
      )
        await new Promise(resolve => setTimeout(resolve, 5))
    },
    [Symbol.asyncDispose]: () => platform.stop(),
  }
}

const mailId = /^[0-9a-f-]{36}$/
const rita = ['--from', 'rita@partner.example']
const objects = (printed: string) => printed.split('\n').map(line => JSON.parse(line))

describe('signalbox mail, inbox and mails', () => {
  it('send a mail, list and show it, and say what became of it', async () => {
    using folder = project()
    const { signalbox } = folder
    expect((await signalbox('mails')).printed).toBe('There are no mails.')
    expect((await signalbox('inbox')).printed).toBe('There is no mail.')
    let id = ''
    {
      await using box = await boxIn(folder.path, bouncing)
      const to = ['--to', 'ann@office.example', '--to', 'gina@office.example']
      const sent = await signalbox('mail', ...rita, ...to, '--subject', 'Grüße', '-t', 'Hello Ann')
      expect(sent).toEqual({ exitCode: 0, printed: expect.stringMatching(mailId), complained: '' })
      id = sent.printed
      await box.settled()
      expect((await signalbox('inbox')).printed).toMatch(/^delivered +to +folder +from +size +subject$/m)
    }
    // The box is gone, and its files tell all of it.
    const { printed } = await signalbox('inbox')
    expect(printed).toMatch(/ann@office\.example +inbox +rita@partner\.example +[\d.]+ k?B +Grüße$/m)
    expect(printed).toMatch(/rita@partner\.example +inbox +\S+@\S+ /m)

    const shown = await signalbox('inbox', 'ann@office.example', '--show', '1')
    expect(shown.printed).toMatch(
      /^From: rita@partner\.example\nTo: ann@office\.example, gina@office\.example\n/,
    )
    expect(shown.printed).toMatch(/\nSubject: Grüße\nDelivered: \S+ \S+ to the inbox, as \S+\n\nHello Ann$/)
    expect(await signalbox('inbox', 'ann@office.example', id.slice(0, 8))).toEqual(shown)
    expect(JSON.parse((await signalbox('inbox', 'ann@office.example', id, '--json')).printed)).toMatchObject({
      number: 1,
      id,
      folder: 'inbox',
      subject: 'Grüße',
      text: 'Hello Ann\n',
      attachments: [],
    })
    expect((await signalbox('inbox', 'rita@partner.example', '-n', '1')).printed).toContain('Gone.')

    const states = await signalbox('mails')
    expect(states.printed).toMatch(new RegExp(`^\\S+ \\S+ ${id} from rita@partner\\.example "Grüße" `))
    expect(states.printed).toMatch(/^ {4}ann@office\.example +delivered /m)
    expect(states.printed).toMatch(/^ {4}gina@office\.example +bounced +\S/m)
    expect(states.printed).toMatch(/report of the box/)
    expect(objects((await signalbox('mails', '--json')).printed)).toMatchObject([
      { id, report: false, recipients: [{ state: 'delivered' }, { state: 'bounced' }] },
      { report: true, from: '', recipients: [{ address: 'rita@partner.example', state: 'delivered' }] },
    ])
  })

  it('show refused recipients with the words of the server, and exit 1', async () => {
    using folder = project()
    await using box = await boxIn(folder.path)
    const some = await folder.signalbox(
      'mail',
      ...rita,
      '--to',
      'ann@office.example',
      '--to',
      'x@office.example',
    )
    expect(some).toMatchObject({ exitCode: 1, printed: expect.stringMatching(mailId) })
    expect(some.complained).toMatch(/^x@office\.example: 550 5\.1\.1 /)
    const none = await folder.signalbox('mail', ...rita, '--to', 'x@office.example')
    expect(none).toMatchObject({ exitCode: 1, printed: '' })
    expect(none.complained).toMatch(/^x@office\.example: 550 5\.1\.1 /)
    await box.settled()
    expect(objects((await folder.signalbox('inbox', '--json')).printed)).toMatchObject([
      { number: 1, address: 'ann@office.example' },
    ])
  })

  it('send a file as it is, from a path or from the standard input', async () => {
    using folder = project()
    await using box = await boxIn(folder.path)
    const raw = 'From: Rita <rita@partner.example>\r\nSubject: from a file\r\n\r\n.\r\n..two\r\n'
    writeFileSync(join(folder.path, 'mail.eml'), raw)
    const to = ['--to', 'ann@office.example']
    expect(await folder.signalbox('mail', ...rita, ...to, 'mail.eml')).toMatchObject({ exitCode: 0 })
    await using piped = spawnCommand(['mail', '--from', '', ...to, '-'], folder.path, raw)
    expect(await piped.exit).toMatchObject({ code: 0, complained: '' })
    await box.settled()
    const delivered = await box.platform.mail.inbox('ann@office.example')
    expect(delivered).toHaveLength(2)
    for (const each of delivered) expect(String(await box.platform.mail.read(each))).toContain(raw)
    expect((await folder.signalbox('mails')).printed).toContain(' from nobody "from a file" ')
  })

  it('never let a stranger act on the terminal', async () => {
    using folder = project()
    await using box = await boxIn(folder.path, () => null)
    const evil = Buffer.from('\u001b]0;owned\u0007\u009b2J').toString('base64')
    writeFileSync(
      join(folder.path, 'evil.eml'),
      `From: =?utf-8?b?${evil}?= <rita@partner.example>\r\nSubject: =?utf-8?b?${evil}?=\r\n` +
        `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${evil}\r\n`,
    )
    await folder.signalbox('mail', ...rita, '--to', 'ann@office.example', 'evil.eml')
    await box.settled()
    while (box.platform.journal.list().length === 0) await new Promise(resolve => setTimeout(resolve, 5))
    const ann = 'ann@office.example'
    for (const args of [
      ['mails'],
      ['mails', '--json'],
      ['inbox'],
      ['inbox', '--json'],
      ['inbox', ann, '-n', '1'],
      ['inbox', ann, '-n', '1', '--json'],
      ['log'],
      ['log', '--json'],
    ]) {
      const { printed } = await folder.signalbox(...args)
      expect(printed).toMatch(/owned/)
      expect(printed).toMatch(/^[^\p{Cc}\n]*(\n[^\p{Cc}\n]*)*$/u)
    }
  })

  it('say why nothing can be sent', async () => {
    using folder = project()
    const send = () => folder.signalbox('mail', ...rita, '--to', 'ann@office.example')
    expect(await send()).toMatchObject({
      exitCode: 2,
      complained: expect.stringMatching(/^No box is running on .*signalbox dev$/),
    })
    {
      await using _box = await boxIn(folder.path)
    }
    expect(await send()).toMatchObject({
      exitCode: 2,
      complained: expect.stringMatching(/^No box is running on /),
    })
    const holder = { pid: process.pid, since: '', mail: 'smtp://127.0.0.1:1' }
    writeFileSync(join(folder.path, '.signalbox', 'box.json'), JSON.stringify(holder))
    expect(await send()).toMatchObject({
      exitCode: 2,
      complained: expect.stringMatching(
        /^The mail server at smtp:\/\/127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/,
      ),
    })
    const platform = createPlatform({ functions: {} }, { root: folder.path })
    await platform.start()
    expect(await send()).toMatchObject({ exitCode: 2, complained: 'The box that is running has no mail.' })
    await platform.stop()
    using memory = project({ dataDir: ':memory:' })
    for (const args of [['mail', ...rita, '--to', 'ann@office.example'], ['mails'], ['inbox']])
      expect(await memory.signalbox(...args)).toMatchObject({
        exitCode: 2,
        complained: expect.stringMatching(/in memory/),
      })
  })

  it.each([
    [['mail'], 'mail needs --from and --to.'],
    [['mail', ...rita], 'mail needs --from and --to.'],
    [['mail', ...rita, '--to', 'ann'], '--to "ann": expected an address.'],
    [['mail', '--from', 'x', '--to', 'a@b'], '--from "x": expected an address.'],
    [['mail', ...rita, '--to', 'a@b', 'x.eml', 'y.eml'], 'mail does not know what to do with "y.eml".'],
    [['mail', ...rita, '--to', 'a@b', '-s', 'x', 'x.eml'], 'A file has its own subject and text.'],
    [['mail', ...rita, '--to', 'a@b', 'x.eml'], 'x.eml cannot be sent: there is no such file.'],
    [['inbox', '--show', '1'], '--show needs an address, and no id.'],
    [['inbox', 'ann@office.example', '--show', '0'], '--show needs a number.'],
    [['inbox', 'ann@office.example', '--show', '1'], 'There is no mail 1 for ann@office.example.'],
    [
      ['inbox', 'ann@office.example', 'x'],
      'There is no mail whose id begins with "x" for ann@office.example.',
    ],
    [['inbox', 'a', 'b', 'c'], 'inbox does not know what to do with "c".'],
    [['mails', 'x'], 'mails does not know what to do with "x".'],
  ])('%j exits 2 with a sentence', async (args, sentence) => {
    using folder = project()
    expect(await folder.signalbox(...args)).toMatchObject({
      exitCode: 2,
      printed: '',
      complained: expect.stringContaining(sentence),
    })
  })
})

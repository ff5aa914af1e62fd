import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { mailProject, mailSetupIn } from '../testing/mail-project.ts'

const bouncing = () => ({
  actions: [
    {
      action: { type: 'BOUNCE', parameters: { bounceMessage: 'Gone.' } },
      recipients: ['gina@office.example'],
    },
    { action: { type: 'DEFAULT' }, allRecipients: true },
  ],
})

const mailId = /^[0-9a-f-]{36}$/
const rita = ['--from', 'rita@partner.example']
const objects = (printed: string) => printed.split('\n').map(line => JSON.parse(line))

describe('signalbox mail', () => {
  it('sends, lists and shows a mail, and prints the status of all mails', async () => {
    using folder = mailProject()
    const { signalbox } = folder
    expect((await signalbox('mail', 'status')).printed).toBe('There are no mails.')
    expect((await signalbox('mail', 'list')).printed).toBe('There is no mail.')
    let id = ''
    {
      await using setup = await mailSetupIn(folder.path, bouncing)
      const to = ['--to', 'ann@office.example', '--to', 'gina@office.example']
      const sent = await signalbox('mail', 'send', ...rita, ...to, '--subject', 'Grüße', '-t', 'Hello Ann')
      expect(sent).toMatchObject({ exitCode: 0, printed: expect.stringMatching(mailId), printedErrors: '' })
      id = sent.printed
      await setup.finished()
      expect((await signalbox('mail', 'list')).printed).toMatch(
        /^delivered +to +folder +from +size +subject$/m,
      )
    }
    // The platform has stopped, so the commands read its files.
    const { printed } = await signalbox('mail', 'list')
    expect(printed).toMatch(/ann@office\.example +inbox +rita@partner\.example +[\d.]+ k?B +Grüße$/m)
    expect(printed).toMatch(/rita@partner\.example +inbox +\S+@\S+ /m)

    const shown = await signalbox('mail', 'show', 'ann@office.example', '--number', '1')
    expect(shown.printed).toMatch(
      /^From: rita@partner\.example\nTo: ann@office\.example, gina@office\.example\n/,
    )
    expect(shown.printed).toMatch(/\nSubject: Grüße\nDelivered: \S+ \S+ to the inbox, as \S+\n\nHello Ann$/)
    expect(await signalbox('mail', 'show', 'ann@office.example', id.slice(0, 8))).toEqual(shown)
    expect(
      JSON.parse((await signalbox('mail', 'show', 'ann@office.example', id, '--json')).printed),
    ).toMatchObject({
      number: 1,
      id,
      folder: 'inbox',
      subject: 'Grüße',
      text: 'Hello Ann\n',
      attachments: [],
    })
    expect((await signalbox('mail', 'show', 'rita@partner.example', '--number', '1')).printed).toContain(
      'Gone.',
    )

    {
      await using setup = await mailSetupIn(folder.path)
      await signalbox('mail', 'send', ...rita, '--to', 'ann@office.example', '--subject', 'Second')
      await setup.finished()
    }
    expect(objects((await signalbox('mail', 'list', 'ann@office.example', '--json')).printed)).toMatchObject([
      { number: 1, subject: 'Grüße' },
      { number: 2, subject: 'Second' },
    ])

    const states = await signalbox('mail', 'status')
    expect(states.printed).toMatch(new RegExp(`^\\S+ \\S+ ${id} from rita@partner\\.example "Grüße" `))
    expect(states.printed).toMatch(/^ {4}ann@office\.example +delivered /m)
    expect(states.printed).toMatch(/^ {4}gina@office\.example +bounced +\S/m)
    expect(states.printed).toMatch(/delivery report/)
    expect(objects((await signalbox('mail', 'status', '--json')).printed)).toMatchObject([
      { id, report: false, recipients: [{ state: 'delivered' }, { state: 'bounced' }] },
      { report: true, from: '', recipients: [{ address: 'rita@partner.example', state: 'delivered' }] },
      { subject: 'Second' },
    ])
  })

  it('lists, shows and exports the mailbox of an alias or a subaddress', async () => {
    const aliases = { info: 'ann', far: 'gina@office.example' }
    const office = { to: 'mailboxes', recipients: ['ann', 'gina'], aliases }
    const mail = { port: 0, domains: { 'office.example': office }, relay: 'keep' } as const
    using folder = mailProject({ mail })
    const { signalbox } = folder
    {
      await using setup = await mailSetupIn(folder.path)
      await signalbox('mail', 'send', ...rita, '--to', 'ann@office.example', '--subject', 'For Ann')
      await setup.finished()
    }
    const own = await signalbox('mail', 'list', 'ann@office.example')
    expect(own.printed).toMatch(/For Ann$/)
    for (const address of ['info@office.example', 'ann+shop@office.example', 'info+shop@office.example']) {
      expect(await signalbox('mail', 'list', address)).toEqual(own)
      const shown = await signalbox('mail', 'show', address, '--number', '1', '--json')
      expect(JSON.parse(shown.printed)).toMatchObject({ address: 'ann@office.example', subject: 'For Ann' })
      const exported = await signalbox('mail', 'export', 'backup', address)
      expect(exported.printed).toMatch(/^1 mails are in \S*backup\.$/)
    }
    expect((await signalbox('mail', 'list', 'far@office.example')).printed).toBe(
      'There is no mail for far@office.example.',
    )
  })

  it('does not print the control characters in a mail', async () => {
    using folder = mailProject()
    await using setup = await mailSetupIn(folder.path, () => null)
    const evil = Buffer.from('\u001b]0;owned\u0007\u009b2J\u202egpj.exe').toString('base64')
    writeFileSync(
      join(folder.path, 'evil.eml'),
      `From: =?utf-8?b?${evil}?= <rita@partner.example>\r\nSubject: =?utf-8?b?${evil}?=\r\n` +
        `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${evil}\r\n`,
    )
    await folder.signalbox('mail', 'send', ...rita, '--to', 'ann@office.example', 'evil.eml')
    await setup.finished()
    const ann = 'ann@office.example'
    for (const args of [
      ['status'],
      ['status', '--json'],
      ['list'],
      ['list', '--json'],
      ['show', ann, '--number', '1'],
      ['show', ann, '--number', '1', '--json'],
    ]) {
      const { printed } = await folder.signalbox('mail', ...args)
      expect(printed).toMatch(/owned/)
      expect(printed.replaceAll('\n', '')).toMatch(/^[^\p{Cc}\u202e]*$/u)
    }
  })

  it('shortens long mail headers in lists', async () => {
    using folder = mailProject()
    await using setup = await mailSetupIn(folder.path)
    const long = 'x'.repeat(5000)
    writeFileSync(join(folder.path, 'long.eml'), `From: ${long}@x.example\r\nSubject: ${long}\r\n\r\nHi!\r\n`)
    await folder.signalbox('mail', 'send', ...rita, '--to', 'ann@office.example', 'long.eml')
    await setup.finished()
    for (const command of ['list', 'status']) {
      const { printed } = await folder.signalbox('mail', command)
      expect(printed).toContain('xxx')
      for (const line of printed.split('\n')) expect(line.length).toBeLessThan(400)
    }
  })
})

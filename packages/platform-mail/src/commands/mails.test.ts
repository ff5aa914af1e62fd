import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { mailBoxIn, mailProject } from '../testing/mail-project.ts'

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

describe('signalbox mail, inbox and mails', () => {
  it('send a mail, list and show it, and say what became of it', async () => {
    using folder = mailProject()
    const { signalbox } = folder
    expect((await signalbox('mails')).printed).toBe('There are no mails.')
    expect((await signalbox('inbox')).printed).toBe('There is no mail.')
    let id = ''
    {
      await using box = await mailBoxIn(folder.path, bouncing)
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

    {
      await using box = await mailBoxIn(folder.path)
      await signalbox('mail', ...rita, '--to', 'ann@office.example', '--subject', 'Second')
      await box.settled()
    }
    expect(objects((await signalbox('inbox', 'ann@office.example', '--json')).printed)).toMatchObject([
      { number: 1, subject: 'Grüße' },
      { number: 2, subject: 'Second' },
    ])

    const states = await signalbox('mails')
    expect(states.printed).toMatch(new RegExp(`^\\S+ \\S+ ${id} from rita@partner\\.example "Grüße" `))
    expect(states.printed).toMatch(/^ {4}ann@office\.example +delivered /m)
    expect(states.printed).toMatch(/^ {4}gina@office\.example +bounced +\S/m)
    expect(states.printed).toMatch(/report of the box/)
    expect(objects((await signalbox('mails', '--json')).printed)).toMatchObject([
      { id, report: false, recipients: [{ state: 'delivered' }, { state: 'bounced' }] },
      { report: true, from: '', recipients: [{ address: 'rita@partner.example', state: 'delivered' }] },
      { subject: 'Second' },
    ])
  })

  it('never let a stranger act on the terminal', async () => {
    using folder = mailProject()
    await using box = await mailBoxIn(folder.path, () => null)
    const evil = Buffer.from('\u001b]0;owned\u0007\u009b2J\u202egpj.exe').toString('base64')
    writeFileSync(
      join(folder.path, 'evil.eml'),
      `From: =?utf-8?b?${evil}?= <rita@partner.example>\r\nSubject: =?utf-8?b?${evil}?=\r\n` +
        `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${evil}\r\n`,
    )
    await folder.signalbox('mail', ...rita, '--to', 'ann@office.example', 'evil.eml')
    await box.settled()
    const ann = 'ann@office.example'
    for (const args of [
      ['mails'],
      ['mails', '--json'],
      ['inbox'],
      ['inbox', '--json'],
      ['inbox', ann, '-n', '1'],
      ['inbox', ann, '-n', '1', '--json'],
    ]) {
      const { printed } = await folder.signalbox(...args)
      expect(printed).toMatch(/owned/)
      expect(printed.replaceAll('\n', '')).toMatch(/^[^\p{Cc}\u202e]*$/u)
    }
  })

  it('keep lines short, however long a stranger makes them', async () => {
    using folder = mailProject()
    await using box = await mailBoxIn(folder.path)
    const long = 'x'.repeat(5000)
    writeFileSync(join(folder.path, 'long.eml'), `From: ${long}@x.example\r\nSubject: ${long}\r\n\r\nHi!\r\n`)
    await folder.signalbox('mail', ...rita, '--to', 'ann@office.example', 'long.eml')
    await box.settled()
    for (const command of ['inbox', 'mails']) {
      const { printed } = await folder.signalbox(command)
      expect(printed).toContain('xxx')
      for (const line of printed.split('\n')) expect(line.length).toBeLessThan(400)
    }
  })
})

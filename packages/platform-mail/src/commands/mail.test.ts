import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { spawnCommand } from '../../../platform/src/testing/spawned-command.ts'
import { createPlatform } from '../testing/mail-program.ts'
import { mailBoxIn, mailProject } from '../testing/mail-project.ts'

const mailId = /^[0-9a-f-]{36}$/
const rita = ['--from', 'rita@partner.example']
const objects = (printed: string) => printed.split('\n').map(line => JSON.parse(line))

describe('signalbox mail', () => {
  it('show refused recipients with the words of the server, and exit 1', async () => {
    using folder = mailProject()
    await using box = await mailBoxIn(folder.path)
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
    using folder = mailProject()
    await using box = await mailBoxIn(folder.path)
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

  it('say why nothing can be sent', async () => {
    using folder = mailProject()
    const send = () => folder.signalbox('mail', ...rita, '--to', 'ann@office.example')
    expect(await send()).toMatchObject({
      exitCode: 2,
      complained: expect.stringMatching(/^No box is running on .*signalbox dev$/),
    })
    {
      await using _box = await mailBoxIn(folder.path)
    }
    expect(await send()).toMatchObject({
      exitCode: 2,
      complained: expect.stringMatching(/^No box is running on /),
    })
    const announce = (pid: number) =>
      writeFileSync(
        join(folder.path, '.signalbox', 'box.json'),
        JSON.stringify({ pid, since: '', mail: 'smtp://127.0.0.1:1' }),
      )
    // Left behind by a box that was killed.
    announce(spawnSync(process.execPath, ['--version']).pid)
    expect(await send()).toMatchObject({
      exitCode: 2,
      complained: expect.stringMatching(/^No box is running on /),
    })
    announce(process.pid)
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
    using memory = mailProject({ dataDir: ':memory:' })
    for (const args of [['mail', ...rita, '--to', 'ann@office.example'], ['mails'], ['inbox']])
      expect(await memory.signalbox(...args)).toMatchObject({
        exitCode: 2,
        complained: expect.stringMatching(/in memory/),
      })
  })

  it.each([
    [['mail'], 'mail needs --from and --to.'],
    [['mail', ...rita], 'mail needs --from and --to.'],
    [['mail', ...rita, '--to', 'ann'], '--to "ann": expected one address; --to may be given again.'],
    [['mail', ...rita, '--to', 'a@b,c@b'], '--to "a@b,c@b": expected one address; --to may be given again.'],
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
    [['inbox', 'ann'], '"ann" is no address, such as ann@office.example.'],
    [['inbox', 'a', 'b', 'c'], 'inbox does not know what to do with "c".'],
    [['mails', 'x'], 'mails does not know what to do with "x".'],
  ])('%j exits 2 with a sentence', async (args, sentence) => {
    using folder = mailProject()
    expect(await folder.signalbox(...args)).toMatchObject({
      exitCode: 2,
      printed: '',
      complained: expect.stringContaining(sentence),
    })
  })
})

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { createPlatform } from '../testing/mail-program.ts'
import { mailProject, mailSetupIn } from '../testing/mail-project.ts'

const mailId = /^[0-9a-f-]{36}$/
const rita = ['--from', 'rita@partner.example']
const ann = 'ann@office.example'
const objects = (printed: string) => printed.split('\n').map(line => JSON.parse(line))

describe('signalbox mail', () => {
  it('prints refused recipients with the replies of the server, and exits with 1', async () => {
    using folder = mailProject()
    await using setup = await mailSetupIn(folder.path)
    const some = await folder.signalbox(
      'mail',
      'send',
      ...rita,
      '--to',
      'ann@office.example',
      '--to',
      'x@office.example',
    )
    expect(some).toMatchObject({ exitCode: 1, printed: expect.stringMatching(mailId) })
    expect(some.printedErrors).toMatch(/^x@office\.example: 550 5\.1\.1 /)
    const none = await folder.signalbox('mail', 'send', ...rita, '--to', 'x@office.example')
    expect(none).toMatchObject({ exitCode: 1, printed: '' })
    expect(none.printedErrors).toMatch(/^x@office\.example: 550 5\.1\.1 /)
    await setup.finished()
    expect(objects((await folder.signalbox('mail', 'list', '--json')).printed)).toMatchObject([
      { number: 1, address: 'ann@office.example' },
    ])
  })

  it('explains why it cannot find a mail server', async () => {
    using folder = mailProject()
    const send = () => folder.signalbox('mail', 'send', ...rita, '--to', 'ann@office.example')
    expect(await send()).toMatchObject({
      exitCode: 2,
      printedErrors: expect.stringMatching(/^No platform is running on .*signalbox dev$/),
    })
    {
      await using _setup = await mailSetupIn(folder.path)
    }
    expect(await send()).toMatchObject({
      exitCode: 2,
      printedErrors: expect.stringMatching(/^No platform is running on /),
    })
    const announce = (pid: number) =>
      writeFileSync(
        join(folder.path, '.signalbox', 'platform.json'),
        JSON.stringify({ pid, since: '', urls: { mail: 'smtp://127.0.0.1:1' } }),
      )
    // A platform that is killed leaves its `platform.json` behind.
    announce(spawnSync(process.execPath, ['--version']).pid)
    expect(await send()).toMatchObject({
      exitCode: 2,
      printedErrors: expect.stringMatching(/^No platform is running on /),
    })
    announce(process.pid)
    expect(await send()).toMatchObject({
      exitCode: 2,
      printedErrors: expect.stringMatching(
        /^The mail server at smtp:\/\/127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/,
      ),
    })
    const platform = createPlatform({ functions: {} }, { root: folder.path })
    await platform.start()
    expect(await send()).toMatchObject({ exitCode: 2, printedErrors: 'The running platform has no mail.' })
    await platform.stop()
    using memory = mailProject({ dataDir: ':memory:' })
    for (const args of [
      ['mail', 'send', ...rita, '--to', 'ann@office.example'],
      ['mail', 'status'],
      ['mail', 'list'],
    ])
      expect(await memory.signalbox(...args)).toMatchObject({
        exitCode: 2,
        printedErrors: expect.stringMatching(/in memory/),
      })
  })

  it.each([
    ['mail send', 'mail send needs --from and --to.'],
    ['mail send --from rita@partner.example', 'mail send needs --from and --to.'],
    [
      'mail send --from rita@partner.example --to ann',
      '--to "ann": expected one address. Repeat --to for more',
    ],
    [
      'mail send --from rita@partner.example --to a@b,c@b',
      '--to "a@b,c@b": expected one address. Repeat --to for',
    ],
    ['mail send --from x --to a@b', '--from "x": expected an address.'],
    ['mail send --from rita@partner.example --to a@b x y', 'mail send takes no argument "y".'],
    [
      'mail send --from rita@partner.example --to a@b -s x x.eml',
      'A mail from a file has its own subject and text.',
    ],
    ['mail send --from rita@partner.example --to a@b x.eml', 'x.eml cannot be sent: there is no such file.'],
    ['mail list ann', '"ann" is not an address such as ann@office.example.'],
    ['mail list a@b c', 'mail list takes no argument "c".'],
    ['mail show --number 1', 'mail show needs an address, and either an id or --number.'],
    ['mail show ann@office.example', 'mail show needs an address, and either an id or --number.'],
    [
      'mail show ann@office.example x --number 1',
      'mail show needs an address, and either an id or --number.',
    ],
    ['mail show ann x', '"ann" is not an address such as ann@office.example.'],
    [
      'mail show a,b@office.example x',
      `"a,b@office.example" is not an address such as ann@office.example. Quote it twice if you mean this one: '"a,b"@office.example'.`,
    ],
    ['mail list ann@office.example,bob@office.example', 'is not an address such as ann@office.example.\n'],
    ['mail list <ann@office.example>', 'is not an address such as ann@office.example.\n'],
    ['mail list mailto:ann@office.example', 'is not an address such as ann@office.example.\n'],
    ['mail show ann@office.example --number 0', '--number needs a number from 1.'],
    ['mail show ann@office.example --number 1', `There is no mail 1 for ${ann}.`],
    ['mail show ann@office.example x', `There is no mail whose id begins with "x" for ${ann}.`],
    ['mail show a b c', 'mail show takes no argument "c".'],
    ['mail status x', 'mail status takes no argument "x".'],
  ])('exits with 2 and an error message for "signalbox %s"', async (line, sentence) => {
    using folder = mailProject()
    expect(await folder.signalbox(...line.split(' '))).toMatchObject({
      exitCode: 2,
      printed: '',
      printedErrors: expect.stringContaining(sentence),
    })
  })
})

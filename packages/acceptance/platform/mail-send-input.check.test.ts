import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { spawnCommand } from '@signalbox/platform/testing/spawned-command'
import { mailProject, mailSetupIn } from '@signalbox/platform-mail/testing/mail-project'

it('signalbox mail send sends a file, or the standard input, byte for byte', async () => {
  using folder = mailProject()
  await using setup = await mailSetupIn(folder.path)
  const raw = 'From: Rita <rita@partner.example>\r\nSubject: from a file\r\n\r\n.\r\n..two\r\n'
  writeFileSync(join(folder.path, 'mail.eml'), raw)
  const to = ['--to', 'ann@office.example']
  expect(
    await folder.signalbox('mail', 'send', '--from', 'rita@partner.example', ...to, 'mail.eml'),
  ).toMatchObject({ exitCode: 0 })
  await using piped = spawnCommand(['mail', 'send', '--from', '', ...to, '-'], folder.path, raw)
  expect(await piped.exit).toMatchObject({ code: 0, printedErrors: '' })
  await setup.finished()
  const delivered = await setup.platform.mail.inbox('ann@office.example')
  expect(delivered).toHaveLength(2)
  for (const each of delivered) expect(String(await setup.platform.mail.read(each))).toContain(raw)
  expect((await folder.signalbox('mail', 'status')).printed).toContain(' from the null sender "from a file" ')
})

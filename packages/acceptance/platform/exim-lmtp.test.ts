import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { mailSetup } from '@signalbox/platform-mail/testing/mail-setup'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { hasProgram, runProgram } from './testing/run-program.ts'

// Debian calls the program exim4. Only root may choose its configuration.
const hasExim = process.getuid?.() === 0 && hasProgram('exim4', ['-C', '/dev/null', '--version'])
const title = hasExim ? 'Exim hands over by LMTP' : 'Exim hands over by LMTP (skipped: needs Exim, as root)'

const configuration = (folder: string, port: string) => `
primary_hostname = exim.example
exim_user = Debian-exim
trusted_users = root
spool_directory = ${folder}/spool
log_file_path = ${folder}/%slog
smtp_accept_max = 0
never_users =
begin routers
platform:
  driver = manualroute
  domains = office.example
  transport = platform
  route_list = * 127.0.0.1
  self = send
reports:
  driver = accept
  transport = reports
begin transports
platform:
  driver = smtp
  protocol = lmtp
  port = ${port}
  allow_localhost
reports:
  driver = appendfile
  file = ${folder}/reports
  user = Debian-exim
begin retry
* * F,1h,1m
`

;(hasExim ? describe : describe.skip)(title, () => {
  it('and does for each recipient what the function has decided', async () => {
    using folder = temporaryFolder()
    const { path } = folder
    chmodSync(path, 0o777)
    mkdirSync(join(path, 'spool'))
    spawnSync('chown', ['Debian-exim', join(path, 'spool')])
    const types: { readonly [name: string]: string } = { bounce: 'BOUNCE', drop: 'DROP' }
    const office = await mailSetup(
      ({ envelope, subject }) => {
        if (subject === 'fail') throw new Error('not now')
        return {
          actions: envelope.recipients.map(({ address }) => ({
            action: { type: types[address.split('@')[0]!] ?? 'DEFAULT' },
            recipients: [address],
          })),
        }
      },
      { lmtp: { port: 0 }, inbound: { timeout: 60 } },
    )
    try {
      const file = join(path, 'exim.conf')
      writeFileSync(file, configuration(path, new URL(office.urls.lmtp).port))
      const send = (subject: string, ...to: string[]) =>
        runProgram('exim4', ['-C', file, '-odf', '-oi', '-f', 'eve@far.example', ...to], {
          input: `From: eve@far.example\nSubject: ${subject}\n\nHi!\n`,
        })
      const to = ['ann', 'bounce', 'drop'].map(name => `${name}@office.example`)
      expect(await send('pass', ...to)).toMatchObject({ exitCode: 0 })
      await office.calm()
      expect(office.events.map(({ subject }) => subject)).toEqual(['pass'])
      const inboxes = await office.platform.mail.inbox()
      expect(inboxes.map(({ address }) => address)).toEqual(['ann@office.example'])
      // The report is Exim's, because it has accepted the mail.
      const log = readFileSync(join(path, 'mainlog'), 'utf8')
      expect(log).toMatch(/ => ann@office\.example /)
      expect(log).toMatch(/ (?:=|-)> drop@office\.example /)
      expect(log).toMatch(/ \*\* bounce@office\.example .*550 5\.7\.1 The mail was refused/)
      expect(readFileSync(join(path, 'reports'), 'utf8')).toMatch(
        /^X-Failed-Recipients: bounce@office\.example$/m,
      )

      await send('fail', 'ann@office.example')
      expect(readFileSync(join(path, 'mainlog'), 'utf8')).toMatch(/ == ann@office\.example .*451 4\.3\.0 /)
    } finally {
      await office.platform.stop()
    }
  })
})

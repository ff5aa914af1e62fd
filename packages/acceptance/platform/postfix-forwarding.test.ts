import { describe, expect, it } from '@jest/globals'
import { mailSetup, until } from '@signalbox/platform-mail/testing/mail-setup'
import { smtpDialogue } from '@signalbox/platform-mail/testing/smtp-dialogue'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { hasPostfix, startPostfix } from './testing/postfix.ts'

const title = hasPostfix
  ? 'Postfix says who the client is when it hands over'
  : 'Postfix says who the client is when it hands over (skipped: needs Postfix, as root)'

;(hasPostfix ? describe : describe.skip)(title, () => {
  it.each([
    ['over SMTP', 'smtp', { virtual_transport: 'smtp:[127.0.0.1]:PORT', smtp_send_xforward_command: 'yes' }],
    ['over LMTP', 'lmtp', { virtual_transport: 'lmtp:[127.0.0.1]:PORT', lmtp_send_xforward_command: 'yes' }],
    ['before its own reply', 'smtp', { smtpd_proxy_filter: '127.0.0.1:PORT' }],
  ] as const)('%s', async (_, door, options) => {
    using folder = temporaryFolder()
    const office = await mailSetup(
      ({ subject }) => ({
        actions: [{ allRecipients: true, action: { type: subject === 'no' ? 'BOUNCE' : 'DEFAULT' } }],
      }),
      { lmtp: { port: 0 }, inbound: { decide: 'before' } },
    )
    try {
      const { port } = new URL(office.urls[door])
      await using postfix = await startPostfix(
        folder.path,
        Object.fromEntries(
          Object.entries(options).map(([name, value]) => [name, value.replace('PORT', port)]),
        ),
      )
      await using client = await smtpDialogue(postfix.url, true, '127.0.0.7')
      await client.say('EHLO mx.far.example')
      const send = async (subject: string) => {
        for (const line of ['MAIL FROM:<eve@far.example>', 'RCPT TO:<ann@office.example>', 'DATA'])
          await client.say(line)
        return client.say(`Subject: ${subject}\r\nMessage-ID: <${subject}@far.example>\r\n\r\nHi!\r\n.`)
      }
      expect(await send('yes')).toMatch(/^250 2\.0\.0 /)
      expect(await send('no')).toMatch('smtpd_proxy_filter' in options ? /^550 5\.7\.1 / : /^250 2\.0\.0 /)
      await until(() => office.events.length === 2)
      for (const { client } of office.events)
        expect(client).toMatchObject({ address: '127.0.0.7', helo: 'mx.far.example' })
      const inbox = () => office.platform.mail.inbox()
      await until(async () => (await inbox()).length > 0)
      await office.calm()
      expect((await inbox()).map(({ address }) => address)).toEqual(['ann@office.example'])
    } finally {
      await office.platform.stop()
    }
  })
})

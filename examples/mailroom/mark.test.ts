import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { createPlatform } from '@signalbox/platform'
import { createTransport } from 'nodemailer'
import { handler } from './mark.ts'

it.each([
  ['with access', { access: { identities: {} } }],
  ['without access', {}],
])('the subject of a mail is marked on a platform %s, and its other bytes stay', async (_, more) => {
  const platform = createPlatform(
    {
      functions: { mark: { module: './mark.ts', instances: 1 } },
      mail: {
        port: 0,
        domains: { 'office.example': { to: 'mailboxes' } },
        rules: [{ direction: 'INBOUND', function: 'mark', decide: 'before' }],
      },
      control: { port: 0 },
      dataDir: ':memory:',
      ...more,
    },
    { root: import.meta.dirname },
  )
  await using _stopped = { [Symbol.asyncDispose]: () => platform.stop() }
  const { url } = (await platform.start()).find(({ source }) => source === 'mail')!
  const smtp = createTransport({ host: '127.0.0.1', port: Number(new URL(url).port), ignoreTLS: true })
  const [from, to] = ['rita@partner.example', 'ann@office.example']
  const head =
    'From: rita@partner.example\r\nDate: Sun, 29 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@a.example>\r\n'
  const raw = Buffer.from(`${head}Subject: Hello\r\n\r\nGr\xfc\xdfe\r\n`, 'latin1')
  await smtp.sendMail({ envelope: { from, to }, raw })
  smtp.close()
  let [mail] = await platform.mail.inbox(to)
  while (mail === undefined) {
    await delay(10)
    ;[mail] = await platform.mail.inbox(to)
  }
  const text = Buffer.from(await platform.mail.read(mail)).toString('latin1')
  expect(text.replaceAll('\r\n', '\n')).toContain('Subject: [External] Hello\n\nGr\xfc\xdfe\n')
})

it('a function that the platform has not started says what it misses', async () => {
  await expect(handler(mailEvent())).rejects.toThrow(
    'platformMessages() needs the URL of the control address',
  )
})

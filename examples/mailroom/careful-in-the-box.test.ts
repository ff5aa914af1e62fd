import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { createPlatform } from '@signalbox/platform'
import { createTransport } from 'nodemailer'
import { handler } from './careful-in-the-box.ts'

it('reads each mail whole, from the box that asks about it', async () => {
  const platform = createPlatform(
    {
      functions: { careful: { module: './careful-in-the-box.ts', instances: 1 } },
      mail: {
        port: 0,
        mailboxes: { 'office.example': '*' },
        rules: [{ direction: 'INBOUND', function: 'careful' }],
        relay: 'keep',
      },
      control: { port: 0 },
      dataDir: ':memory:',
    },
    { root: import.meta.dirname },
  )
  await using _stopped = { [Symbol.asyncDispose]: () => platform.stop() }
  const addresses = await platform.start()
  const [url, control] = ['mail', 'control'].map(name => addresses.find(({ source }) => source === name)!.url)
  const smtp = createTransport({ host: '127.0.0.1', port: Number(new URL(url!).port), ignoreTLS: true })
  const [from, to] = ['rita@partner.example', 'ann@office.example']
  for (const filename of ['invoice.pdf', 'invoice.pdf.exe'])
    await smtp.sendMail({ from, to, subject: filename, attachments: [{ filename, content: 'content' }] })
  smtp.close()

  const fates = async () =>
    (await platform.mail.states()).flatMap(({ subject, recipients }) =>
      recipients.map(({ address, state }) => `${subject} for ${address}: ${state}`),
    )
  while ((await fates()).some(each => /undecided|delivering/.test(each))) await delay(10)
  expect((await fates()).sort()).toEqual([
    'Your mail was not delivered for rita@partner.example: delivered',
    'invoice.pdf for ann@office.example: delivered',
    'invoice.pdf.exe for ann@office.example: bounced',
  ])
  const [report] = await platform.mail.inbox(from)
  expect(String(await platform.mail.read(report!))).toContain('Programs are not accepted by mail.')

  process.env.SIGNALBOX_CONTROL = control
  await expect(handler(mailEvent({ messageId: 'gone' }))).rejects.toThrow(
    'The mail gone cannot be had: There is no',
  )
})

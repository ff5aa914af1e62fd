import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { createPlatform } from '@signalbox/platform'
import { createTransport } from 'nodemailer'
import { handler } from './careful-platform.ts'

/** Returns a mail with a program inside the given number of nested multiparts. */
function behindMultiparts(depth: number): string {
  const open = Array.from(
    { length: depth },
    (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
  )
  return `Subject: deep\r\n${open.join('')}${program}`
}

/** Returns a mail with a program after the given number of other parts. */
function afterParts(count: number): string {
  const head = 'Subject: many\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n'
  return `${head}${'--b\r\n\r\nx\r\n'.repeat(count)}--b\r\n${program}`
}

const program = 'Content-Disposition: attachment; filename=setup.exe\r\n\r\nMZ\r\n'

it('the careful mailroom keeps setup.exe out of the inbox, even inside 300 nested multiparts or after 200,000 parts', async () => {
  const platform = createPlatform(
    {
      functions: { careful: { module: './careful-platform.ts', instances: 1 } },
      mail: {
        port: 0,
        domains: { 'office.example': { to: 'mailboxes' } },
        rules: [{ direction: 'INBOUND', function: 'careful', fallback: 'BOUNCE' }],
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
  const envelope = { from, to }
  for (const raw of [
    behindMultiparts(300),
    afterParts(200_000),
    `Subject: long\r\n\r\n${'x\r\n'.repeat(2_000_000)}`,
  ])
    await smtp.sendMail({ envelope, raw })
  smtp.close()

  const dispositions = async () =>
    (await platform.mail.states()).flatMap(({ subject, recipients }) =>
      recipients.map(({ address, state }) => `${subject} for ${address}: ${state}`),
    )
  while ((await dispositions()).some(each => /undecided|delivering/.test(each))) await delay(10)
  expect((await dispositions()).sort()).toEqual([
    ...Array(4).fill('Your mail was not delivered for rita@partner.example: delivered'),
    'deep for ann@office.example: bounced',
    'invoice.pdf for ann@office.example: delivered',
    'invoice.pdf.exe for ann@office.example: bounced',
    'long for ann@office.example: bounced',
    'many for ann@office.example: bounced',
  ])
  // There is one invocation per mail, and none of the invocations failed.
  expect((await platform.invocationLog.list()).map(({ failure }) => failure)).toEqual(
    Array(5).fill(undefined),
  )
  const reports = await Promise.all((await platform.mail.inbox(from)).map(platform.mail.read))
  const saying = (text: string) => reports.filter(report => report.includes(text))
  expect(saying('Programs are not accepted by mail.')).toHaveLength(1)
  expect(saying('This mail is too complex to be checked.')).toHaveLength(3)

  process.env.SIGNALBOX_CONTROL = control
  await expect(handler(mailEvent({ messageId: 'gone' }))).rejects.toThrow(
    'GET /messages/gone: 404 {"message":"There is no mail',
  )
})

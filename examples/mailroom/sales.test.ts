import { expect, it } from '@jest/globals'
import { createPlatform } from '@signalbox/platform'
import { createTransport } from 'nodemailer'
import { handler } from './sales.ts'

const [ann, bob, eve] = ['ann@office.example', 'bob@office.example', 'eve@office.example']

it.each([
  [['sales@office.example'], [1, 1, 0, 0]],
  [
    ['Sales@office.example', ann, eve],
    [1, 1, 1, 0],
  ],
  [[eve], [0, 0, 1, 0]],
])('mail to %j is in the mailboxes of ann, bob, eve and sales %j times', async (to, counts) => {
  const platform = createPlatform({
    functions: { sales: { handler } },
    mail: {
      port: 0,
      domains: { 'office.example': { to: 'mailboxes', recipients: ['ann', 'bob', 'eve', 'sales'] } },
      rules: [{ direction: 'INBOUND', function: 'sales', decide: 'before' }],
    },
    control: { port: 0 },
    dataDir: ':memory:',
  })
  await using _stopped = { [Symbol.asyncDispose]: () => platform.stop() }
  const { url } = (await platform.start()).find(({ source }) => source === 'mail')!
  const smtp = createTransport({ host: '127.0.0.1', port: Number(new URL(url).port), ignoreTLS: true })
  await smtp.sendMail({ from: 'rita@partner.example', to, subject: 'Offer' })
  smtp.close()
  const states = async () => (await platform.mail.states()).flatMap(({ recipients }) => recipients)
  while ((await states()).some(({ state }) => /undecided|delivering/.test(state)))
    await new Promise(setImmediate)
  const inboxes = [ann!, bob!, eve!, 'sales@office.example'].map(address => platform.mail.inbox(address))
  expect((await Promise.all(inboxes)).map(mails => mails.length)).toEqual(counts)
})

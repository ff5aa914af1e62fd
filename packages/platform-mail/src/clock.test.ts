import { expect, it } from '@jest/globals'
import { mailSetup } from './testing/mail-setup.ts'

const day = 86_400_000
const bob = 'bob@office.example'

/** The times of the header fields `Received` and `Date` of a mail. */
const datesIn = (text: string) =>
  [...text.matchAll(/^(?:Date: |Received: [\s\S]*?;\s+|Arrival-Date: )(.*)$/gm)].map(([, date]) =>
    Date.parse(date!),
  )

it('the dates of mails and reports follow the wall clock, which was set back', async () => {
  const bounce = { action: { type: 'BOUNCE' }, allRecipients: true }
  const usual = { action: { type: 'DEFAULT' }, allRecipients: true }
  await using setup = await mailSetup(({ subject }) => ({ actions: [subject === 'Hi' ? usual : bounce] }))
  setup.clock.jump(-400 * day)
  const now = Math.floor(setup.clock.wall() / 1000) * 1000
  await setup.send({ to: bob, subject: 'Hi' })
  await setup.send({ from: 'kim@office.example', to: bob, subject: 'Bye' })
  await setup.calm()
  const [mail] = await setup.inbox(bob)
  expect(datesIn(mail!.text)).toEqual([now, now])
  const [report] = await setup.inbox('kim@office.example')
  expect(datesIn(report!.text).length).toBeGreaterThan(1)
  expect(new Set(datesIn(report!.text))).toEqual(new Set([now]))
})

it('a jump of the wall clock neither starts nor delays a retry of a function', async () => {
  let calls = 0
  await using setup = await mailSetup(
    () => {
      calls++
      throw new Error('broken')
    },
    { inbound: { timeout: 240, fallback: 'DROP' } },
  )
  await setup.send()
  await setup.calm()
  for (const jump of [400 * day, -800 * day]) {
    setup.clock.jump(jump)
    await setup.calm()
  }
  expect(calls).toBe(1)
  await setup.pass(1)
  expect(calls).toBe(2)
})

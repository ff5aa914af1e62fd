import { afterEach, expect, it } from '@jest/globals'
import { testServer } from '@signalbox/platform-postgres/testing/server-suite'
import { type Answer, bob, carol, deliver, started, stopAll } from './testing/message-clients.ts'

const database = testServer()
afterEach(stopAll)

const change: Answer = async ({ messageId }, clients) => {
  await clients.change(messageId, raw => raw.replace('Hi!', 'HI!'))
  return deliver
}
const storage = (schema: string) => ({ storage: { postgres: { url: database.server.url, schema } } })

it('a mail that is changed for some of its recipients becomes two mails in PostgreSQL', async () => {
  const rules = [{ direction: 'INBOUND', function: 'sort', recipients: [bob] }]
  const setup = await started({ sort: change }, { rules }, storage('split'))
  const id = await setup.send([bob, carol])
  expect(await setup.delivered(bob)).toContain('HI!')
  expect(await setup.delivered(carol)).toContain('Hi!')
  const states = await setup.platform.mail.states()
  expect(states.find(each => each.id === id)?.recipients.map(({ address }) => address)).toEqual([carol])
  expect(states).toHaveLength(2)
})

it('another platform finds a changed mail with its decision in PostgreSQL', async () => {
  const rule = { direction: 'INBOUND', decide: 'before' } as const
  const rules = [
    { ...rule, function: 'sort' },
    { ...rule, function: 'refuse', recipients: [carol] },
  ]
  let calls = 0
  const sort: Answer = (...call) => {
    calls++
    return change(...call)
  }
  const refuse = () => ({ actions: [{ allRecipients: true, action: { type: 'BOUNCE' } }] })
  const first = await started({ sort, refuse }, { rules }, storage('decided'))
  await expect(first.send([bob, carol])).rejects.toThrow(carol)
  await first.stop()
  const second = await started({ sort, refuse }, { rules, mixed: 'report' }, storage('decided'))
  await second.send([bob, carol])
  expect(await second.delivered(bob)).toContain('HI!')
  expect(calls).toBe(1)
})

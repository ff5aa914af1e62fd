import { expect, it } from '@jest/globals'
import { mailSetup, until } from './testing/mail-setup.ts'
import { scriptedServer } from './testing/other-server.ts'

const [bob, eve] = ['bob@office.example', 'eve@else.example']
const bounce = () => ({ actions: [{ action: { type: 'BOUNCE' }, allRecipients: true }] })

it('a domain gets at most maxReports reports in an hour, and further mails say that there was none', async () => {
  await using setup = await mailSetup(bounce, { relay: 'keep', maxReports: 2 })
  for (const from of ['a@far.example', 'b@far.example', 'c@far.example', 'd@sub.far.example']) {
    await setup.send({ from })
    await setup.calm()
  }
  const told = (await setup.reports()).map(({ recipients }) => recipients[0]!.address)
  expect(told.sort()).toEqual(['a@far.example', 'b@far.example', 'd@sub.far.example'])
  const silent = (await setup.states()).find(({ from }) => from === 'c@far.example')
  expect(silent!.recipients).toMatchObject([
    {
      state: 'failed',
      why: 'action 1 (BOUNCE) is for all recipients; no report, because far.example got 2 within an hour',
    },
  ])
  await setup.clock.advance(60 * 60_000)
  await setup.send({ from: 'c@far.example' })
  await setup.calm()
  expect(await setup.reports()).toHaveLength(4)
})

it('reports about mail that the relay refuses count, too', async () => {
  await using server = await scriptedServer({ 'RCPT TO': '550 5.1.1 No such user' })
  await using setup = await mailSetup(bounce, {
    ...{ rules: [], relay: { host: '127.0.0.1', port: server.port }, maxReports: 1 },
  })
  const states: string[] = []
  for (let number = 0; number < 2; number++) {
    const id = await setup.send({ from: bob!, to: eve! })
    await until(async () => (await setup.recipientReports(id))[eve!]!.state !== 'delivering')
    states.push((await setup.recipientReports(id))[eve!]!.state)
  }
  expect(states).toEqual(['bounced', 'failed'])
  expect(await setup.reports()).toHaveLength(1)
})

it('no report is sent with maxReports 0', async () => {
  await using setup = await mailSetup(bounce, { relay: 'keep', maxReports: 0 })
  await setup.send()
  await setup.calm()
  expect(await setup.reports()).toEqual([])
})

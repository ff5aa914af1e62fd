import { expect, it } from '@jest/globals'
import { consolePlatform } from '../testing/console-platform.ts'

it('the console says which parts are used, and how much went wrong in each of them', async () => {
  await using setup = await consolePlatform({
    functions: {
      fails: {
        handler: async () => {
          throw new TypeError('x is not a function')
        },
      },
      refuses: {
        handler: async () => ({ actions: [{ allRecipients: true, action: { type: 'BOUNCE' } }] }),
      },
    },
    queues: { orders: { deadLetter: { queue: 'orders-dead', maxReceiveCount: 1 } }, 'orders-dead': {} },
    queueListener: { port: 0 },
    mail: {
      port: 0,
      domains: { 'office.example': { to: 'mailboxes' } },
      rules: [{ direction: 'INBOUND', function: 'refuses' }],
    },
  })
  const parts = async () => {
    const { body } = await setup.api.get('/parts')
    return body as { readonly [name: string]: { readonly isUsed: boolean; readonly wrong: number } }
  }
  const wrong = async () => {
    const { functions, queues, mail } = await parts()
    return [functions, queues, mail].map(each => each?.wrong)
  }
  const all = Object.entries(await parts())
  expect(all.filter(([, { isUsed }]) => isUsed).map(([name]) => name)).toEqual([
    'queues',
    'mail',
    'functions',
  ])
  expect(await wrong()).toEqual([0, 0, 0])
  for (let i = 0; i < 2; i++) await setup.platform.invoke('fails', {})
  for (const name of ['orders', 'orders-dead'])
    await setup.api.post('/queues/{name}/messages', { params: { name }, body: { body: 'a' } })
  await setup.api.post('/mail', {
    body: { from: 'ann@far.example', to: ['bob@office.example'], subject: 'Hi', text: 'Hi' },
  })
  let found = await wrong()
  while (found[2] === 0) found = await wrong()
  expect(found).toEqual([2, 1, 1])
})

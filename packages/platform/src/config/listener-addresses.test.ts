import { describe, expect, it } from '@jest/globals'
import { createPlatform } from '../index.ts'
import { configProblems } from '../testing/whole-program.ts'

describe('configProblems', () => {
  const web = (port: number) => ({ web: { port, function: 'sort' } })
  it.each<[string, object, object, readonly string[]]>([
    [
      'reports a mail server on the port of a load balancer',
      { port: 3000 },
      { loadBalancers: web(3000) },
      ['/mail/port'],
    ],
    ['reports a load balancer on the default mail port', {}, { loadBalancers: web(2525) }, ['/mail/port']],
    [
      'reports a load balancer on the default control port',
      {},
      { loadBalancers: web(9330) },
      ['/control/port'],
    ],
    [
      'reports a control address on the default queue port',
      {},
      { queues: { a: {} }, control: { port: 9324 } },
      ['/control/port'],
    ],
    [
      'reports a load balancer on the default queue port',
      {},
      { queues: { a: {} }, loadBalancers: web(9324) },
      ['/queueListener/port'],
    ],
    ['accepts the same port on different hosts', { host: '::1' }, { loadBalancers: web(2525) }, []],
    [
      'accepts port 0 for several listeners',
      { port: 0 },
      { control: { port: 0 }, queueListener: { port: 0 } },
      [],
    ],
  ])('%s', (_, mail, more, expected) => {
    const functions = { sort: { handler: () => null } }
    const found = configProblems({
      functions,
      mail: { domains: { a: { to: 'mailboxes' } }, ...mail },
      ...more,
    })
    expect(found.map(({ pointer }) => pointer)).toEqual(expected)
  })
})

it.each([
  ['with access', { access: { identities: {} } }, 'the listener of the queues'],
  ['without access', {}, undefined],
])('says %s at the start whether open: true has an effect', async (_, more, named) => {
  const notices: string[] = []
  const queueListener = { port: 0, open: true }
  const platform = createPlatform(
    { queues: { orders: {} }, queueListener, control: { port: 0 }, dataDir: ':memory:', ...more },
    { unauthenticated: 'notice', onNotice: text => notices.push(text) },
  )
  await platform.start()
  await platform.stop()
  const said = notices.filter(text => text.startsWith('`open: true`'))
  const expected = `\`open: true\` has no effect for ${named}: with \`access\`, each client needs a key.`
  expect(said).toEqual(named === undefined ? [] : [expected])
})

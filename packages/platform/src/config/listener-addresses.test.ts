import { describe, expect, it } from '@jest/globals'
import { configProblems } from '../testing/whole-program.ts'

describe('ports of a configuration', () => {
  const web = (port: number) => ({ web: { port, function: 'sort' } })
  it.each<[string, object, object, readonly string[]]>([
    ['mail and a load balancer', { port: 3000 }, { loadBalancers: web(3000) }, ['/mail/port']],
    ['mail where it is by default', {}, { loadBalancers: web(2525) }, ['/mail/port']],
    ['the control address, which comes with mail', {}, { loadBalancers: web(9330) }, ['/control/port']],
    ['the listener of the queues', {}, { queues: { a: {} }, control: { port: 9324 } }, ['/control/port']],
    [
      'the listener of the queues and a load balancer',
      {},
      { queues: { a: {} }, loadBalancers: web(9324) },
      ['/queueListener/port'],
    ],
    ['nothing, when the hosts differ', { host: '::1' }, { loadBalancers: web(2525) }, []],
    ['nothing, when any port will do', { port: 0 }, { control: { port: 0 }, queueListener: { port: 0 } }, []],
  ])('collide: %s', (_, mail, more, expected) => {
    const functions = { sort: { handler: () => null } }
    const found = configProblems({ functions, mail: { mailboxes: { a: '*' }, ...mail }, ...more })
    expect(found.map(({ pointer }) => pointer)).toEqual(expected)
  })
})

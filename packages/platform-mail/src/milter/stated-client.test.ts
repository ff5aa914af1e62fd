import { describe, expect, it } from '@jest/globals'
import { milterClient } from '../testing/milter-client.ts'
import { testMilter } from '../testing/test-milter.ts'

describe('what the mail server says about its client', () => {
  const connection = (family: string, address = '') =>
    Buffer.concat([
      Buffer.from(`${family}\0\x19`, 'latin1'),
      ...(address === '' ? [] : [Buffer.from(`${address}\0`)]),
    ])

  it('is in the facts of each of its mails', async () => {
    await using milter = await testMilter()
    await using client = await milterClient(milter.url)
    await client.event('D', Buffer.from('H'), '{tls_version}', 'TLSv1.3', '{cipher}', 'AES')
    await client.event('H', 'Client.example')
    await client.ask({ macros: { sender: { '{auth_authen}': 'carol', '{auth_type}': 'PLAIN' } } })
    await client.ask()
    const known = { address: '192.0.2.7', name: 'client.example', helo: 'client.example', tls: 'TLSv1.3' }
    expect(milter.mails.map(({ facts }) => facts)).toEqual([
      { client: { ...known, user: 'carol' } },
      { client: known },
    ])
  })

  it('is not about the client of the next connection, nor about one that begins TLS anew', async () => {
    await using milter = await testMilter()
    await using client = await milterClient(milter.url)
    await client.event('D', Buffer.from('H'), '{tls_version}', 'TLSv1.3')
    await client.event('H', 'client.example')
    await client.event('H', 'again.example')
    await client.ask()
    await client.event('K')
    await client.event('C', '[2001:db8::1]', connection('6', 'IPv6:2001:db8::1'))
    await client.ask()
    await client.event('C', 'localhost', connection('L', '/run/client.sock'))
    await client.ask()
    await client.event('C', 'unknown', Buffer.from('U'))
    await client.ask()
    expect(milter.mails.map(({ facts }) => facts)).toEqual([
      { client: { address: '192.0.2.7', name: 'client.example', helo: 'again.example' } },
      { client: { address: '2001:db8::1' } },
      { client: { name: 'localhost' } },
      undefined,
    ])
  })

  it('is left out when it is no fact: an address that is none, and very long names', async () => {
    await using milter = await testMilter()
    await using client = await milterClient(milter.url)
    await client.event('C', 'x'.repeat(2000), connection('4', '999.0.2.1'))
    await client.event('H', 'y'.repeat(300))
    await client.ask()
    await client.event('H', 'z'.repeat(2000))
    await client.ask()
    expect(milter.mails.map(({ facts }) => facts)).toEqual([{ client: { helo: 'y'.repeat(255) } }, undefined])
  })
})

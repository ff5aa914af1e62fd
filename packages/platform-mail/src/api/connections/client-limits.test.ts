import { connect } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { type MailListenerOptions, mailDomains, mailListener } from '../../testing/mail-listener.ts'
import { dialogueOver, type SmtpDialogue, smtpDialogue } from '../../testing/smtp-dialogue.ts'

const [attacker, other, trusted] = ['127.0.0.2', '127.0.0.3', '127.0.0.4']

/** Returns a listener that trusts only one loopback address. */
const listener = ({ settings, ...options }: MailListenerOptions = {}) =>
  mailListener({ ...options, settings: { trusted: [trusted], domains: office, ...settings } })
const office = mailDomains({ 'office.example': ['bob'] })

/** Opens connections from one address, and collects their greetings. */
async function connections(url: string, count: number, address: string) {
  const clients: SmtpDialogue[] = []
  const greetings: (string | undefined)[] = []
  for (let index = 0; index < count; index++) {
    const client = dialogueOver(
      connect({ port: Number(new URL(url).port), localAddress: address, allowHalfOpen: true }),
    )
    const greeting = await client.next()
    clients.push(client)
    greetings.push(greeting && `${greeting.code} ${greeting.text}`)
  }
  return {
    clients,
    greetings,
    [Symbol.asyncDispose]: async () => clients.forEach(({ socket }) => void socket.destroy()),
  }
}

const welcome = '220 box.example ESMTP'
const tooMany = '421 4.7.0 Too many connections from your address, try again later'
const full = '421 4.3.2 Too many connections, try again later'

describe('connections from one address', () => {
  it('are refused above 20, and are closed without a reply above 40', async () => {
    await using setup = await listener()
    await using hostile = await connections(setup.url, 200, attacker)
    expect(hostile.greetings.filter(text => text === welcome)).toHaveLength(20)
    expect(hostile.greetings[20]).toBe(tooMany)
    expect(hostile.greetings.at(-1)).toBeUndefined()
    await using honest = await connections(setup.url, 1, other)
    expect(honest.greetings).toEqual([welcome])
  })

  it('are limited to the configured number, not counting closed connections', async () => {
    await using setup = await listener({ settings: { maxConnectionsPerAddress: 2 } })
    await using first = await connections(setup.url, 3, attacker)
    expect(first.greetings).toEqual([welcome, welcome, tooMany])
    await first.clients[0]!.say('QUIT')
    await using second = await connections(setup.url, 1, attacker)
    expect(second.greetings).toEqual([welcome])
  })

  it('can take up half of all connections if the address is trusted', async () => {
    await using setup = await listener({ settings: { maxConnections: 8, maxConnectionsPerAddress: 1 } })
    await using own = await connections(setup.url, 5, trusted)
    expect(own.greetings).toEqual([welcome, welcome, welcome, welcome, tooMany])
  })

  it('leave a tenth of all connections free for trusted clients', async () => {
    await using setup = await listener({ settings: { maxConnections: 10, maxConnectionsPerAddress: 5 } })
    await using first = await connections(setup.url, 5, attacker)
    await using second = await connections(setup.url, 5, other)
    expect([...first.greetings, ...second.greetings].filter(text => text === full)).toHaveLength(1)
    await using own = await connections(setup.url, 1, trusted)
    expect(own.greetings).toEqual([welcome])
  })
})

describe('a listener at its connection limit', () => {
  const addresses = Array.from({ length: 4 }, (_, index) => `127.0.1.${index}`)
  const settings = { maxConnections: 40, maxConnectionsPerAddress: 10 }
  const connectAll = (url: string) => Promise.all(addresses.map(address => connections(url, 10, address)))
  const leave = (all: Awaited<ReturnType<typeof connectAll>>) => {
    for (const { socket } of all.flatMap(({ clients }) => clients)) socket.destroy()
  }

  it('accepts a new address by closing an idle connection of the address with the most connections', async () => {
    await using setup = await listener({ settings })
    const idle = await connectAll(setup.url)
    await using honest = await connections(setup.url, 1, other)
    expect(honest.greetings).toEqual([welcome])
    const held = idle.flatMap(({ clients, greetings }) =>
      clients.filter((_, at) => greetings[at] === welcome),
    )
    expect(await Promise.race(held.map(client => client.next()))).toMatchObject({
      code: 421,
      text: full.slice(4),
    })
    for (const line of ['EHLO client', 'MAIL FROM:<>', 'RCPT TO:<bob@office.example>', 'DATA'])
      await honest.clients[0]!.say(line)
    expect(await honest.clients[0]!.say('Hello\r\n.')).toMatch(/^250 /)
    leave(idle)
  })

  it('refuses a client whose address already has as many connections as any other address', async () => {
    await using setup = await listener({ settings: { ...settings, maxConnections: 22 } })
    const idle = await connectAll(setup.url)
    // Two of the 22 connections are reserved for trusted clients. The four addresses share the other 20.
    const welcomed = idle.map(({ greetings }) => greetings.filter(text => text === welcome).length)
    expect(welcomed.every(count => count >= 5)).toBe(true)
    await using more = await connections(setup.url, 1, addresses[0]!)
    expect(more.greetings).toEqual([full])
    leave(idle)
  })

  it('closes an idle connection rather than one in the middle of a mail', async () => {
    await using setup = await listener({ settings: { maxConnections: 3, maxConnectionsPerAddress: 3 } })
    await using sending = await connections(setup.url, 1, attacker)
    for (const line of ['EHLO client', 'MAIL FROM:<>', 'RCPT TO:<bob@office.example>', 'DATA'])
      await sending.clients[0]!.say(line)
    await using idle = await connections(setup.url, 2, attacker)
    await using honest = await connections(setup.url, 1, other)
    expect(honest.greetings).toEqual([welcome])
    expect(await Promise.race(idle.clients.map(client => client.next()))).toMatchObject({ code: 421 })
    expect(await sending.clients[0]!.say('Hello\r\n.')).toMatch(/^250 /)
  })

  it('does not count connections that clients keep open after the last reply of the server', async () => {
    await using setup = await listener({ settings: { maxConnections: 10, maxConnectionsPerAddress: 9 } })
    const idle = [...(await connectAll(setup.url)), ...(await connectAll(setup.url))]
    await using honest = await connections(setup.url, 1, other)
    expect(honest.greetings).toEqual([welcome])
    leave(idle)
  })
})

describe('an SMTP connection', () => {
  const minute = 60_000

  it('is closed after ten minutes without a mail, despite a NOOP each minute', async () => {
    await using setup = await listener()
    await using client = await smtpDialogue(setup.url, true, attacker)
    for (let count = 0; count < 9; count++) {
      await setup.clock.advance(minute)
      expect(await client.say('NOOP')).toBe('250 2.0.0 OK')
    }
    await setup.clock.advance(minute)
    expect(await client.next()).toEqual({
      code: 421,
      text: '4.4.2 No mail received for too long, try again later',
    })
    expect(await client.next()).toBeUndefined()
  })

  it('can stay open for ten more minutes after an accepted mail, but not after a refused mail', async () => {
    await using setup = await listener({ settings: { maxSize: 100 } })
    await using client = await smtpDialogue(setup.url, true, attacker)
    await client.say('EHLO client')
    const send = async (text: string) => {
      for (const line of ['MAIL FROM:<>', 'RCPT TO:<bob@office.example>', 'DATA']) await client.say(line)
      return client.say(`${text}\r\n.`)
    }
    for (let count = 0; count < 3; count++) {
      await setup.clock.advance(9 * minute)
      expect(await send('Hello')).toMatch(/^250 /)
    }
    await setup.clock.advance(9 * minute)
    expect(await send('x'.repeat(200))).toMatch(/^552 /)
    await setup.clock.advance(minute)
    expect(await client.next()).toMatchObject({ code: 421 })
  })

  it('is not closed during the transfer of a mail', async () => {
    await using setup = await listener()
    await using client = await smtpDialogue(setup.url, true, attacker)
    for (const line of ['EHLO client', 'MAIL FROM:<>', 'RCPT TO:<bob@office.example>', 'DATA'])
      await client.say(line)
    await setup.clock.advance(30 * minute)
    expect(await client.say('Hello\r\n.')).toMatch(/^250 /)
  })

  it('accepts no mail after an hour', async () => {
    await using setup = await listener()
    await using client = await smtpDialogue(setup.url, true, attacker)
    await client.say('EHLO client')
    for (let count = 0; count < 7; count++) {
      for (const line of ['MAIL FROM:<>', 'RCPT TO:<bob@office.example>', 'DATA']) await client.say(line)
      expect(await client.say('Hello\r\n.')).toMatch(/^250 /)
      await setup.clock.advance(9 * minute)
    }
    expect(await client.say('MAIL FROM:<>')).toBe('421 4.7.0 Connection open for too long, connect again')
  })

  it.each([
    ['NOOP', 100],
    ['RSET', 100],
    ['MAIL FROM:<>\r\nRSET', 50],
    ['EHLO client', 100],
  ])('is closed after a hundred commands without a mail, such as %j', async (commands, times) => {
    await using setup = await listener()
    await using client = await smtpDialogue(setup.url, true, trusted)
    client.send(`${commands}\r\n`.repeat(times))
    client.send('NOOP\r\n')
    const replies = await client.finish()
    expect(replies.at(-1)).toEqual({
      code: 421,
      text: '4.7.0 Too many commands without a mail, try again later',
    })
  })

  it('accepts 500 RCPT commands for one mail, despite the limit of a hundred commands', async () => {
    await using setup = await mailListener()
    await using client = await smtpDialogue(setup.url)
    const names = Array.from({ length: 500 }, (_, index) => `RCPT TO:<r${index}@office.example>\r\n`)
    client.send(`EHLO client\r\nMAIL FROM:<>\r\n${names.join('')}DATA\r\n.\r\n`)
    expect((await client.finish()).at(-1)?.code).toBe(250)
  })
})

describe('refused recipients', () => {
  const guess = (client: SmtpDialogue, index: number) => client.say(`RCPT TO:<guess${index}@office.example>`)
  const begin = async (url: string, address: string) => {
    const client = await smtpDialogue(url, true, address)
    for (const line of ['EHLO client', 'MAIL FROM:<>']) await client.say(line)
    return client
  }

  it('make the listener close the connection after the 20th', async () => {
    await using setup = await listener()
    await using client = await begin(setup.url, attacker)
    for (let index = 0; index < 20; index++) expect(await guess(client, index)).toMatch(/^550 5\.1\.1 /)
    expect(await guess(client, 20)).toBe('421 4.7.0 Too many unknown recipients, try again later')
    expect(await client.next()).toBeUndefined()
  })

  it('make the listener block the client’s address for an hour after the 100th', async () => {
    await using setup = await listener()
    for (let index = 0; index < 100; ) {
      await using client = await begin(setup.url, attacker)
      for (let count = 0; count < 20 && index < 100; count++) await guess(client, index++)
    }
    await using refused = await connections(setup.url, 1, attacker)
    expect(refused.greetings).toEqual([
      '421 4.7.0 Too many unknown recipients from your address, try again later',
    ])
    await using honest = await connections(setup.url, 1, other)
    expect(honest.greetings).toEqual([welcome])
    await setup.clock.advance(60 * 60_000)
    await using again = await connections(setup.url, 1, attacker)
    expect(again.greetings).toEqual([welcome])
  })

  it('do not count for trusted clients', async () => {
    await using setup = await listener({ settings: { maxRefusedRecipients: 5 } })
    await using client = await begin(setup.url, trusted)
    for (let index = 0; index < 30; index++) expect(await guess(client, index)).toMatch(/^550 /)
    expect(await client.say('NOOP')).toBe('250 2.0.0 OK')
  })
})

it('a client address that exceeds its limits gets 450 for its next mail, unless the address is trusted', async () => {
  await using setup = await listener({ settings: { limits: { requests: 1, bytes: 1000, window: 60 } } })
  await using all = await connections(setup.url, 2, attacker)
  const [one, two] = all.clients as [SmtpDialogue, SmtpDialogue]
  const send = async (client: SmtpDialogue, text: string) => {
    await client.say('EHLO client')
    const reply = await client.say('MAIL FROM:<>')
    if (!reply!.startsWith('250')) return reply
    for (const line of ['RCPT TO:<bob@office.example>', 'DATA']) await client.say(line)
    return (await client.say(`${text}\r\n.`))!.slice(0, 3)
  }
  expect(await send(one, 'Hello')).toBe('250')
  expect(await send(two, 'Hello')).toBe('450 4.7.1 Too many mails, try again after 60 seconds')
  await setup.clock.advance(60_000)
  expect(await send(two, 'x'.repeat(900).concat('\r\n').repeat(3))).toBe('250')
  expect(await send(one, 'Hello')).toBe('450 4.7.1 Too many mails, try again after 103 seconds')
  await using own = await connections(setup.url, 1, trusted)
  expect(await send(own.clients[0]!, 'Hello')).toBe('250')
  expect(await send(own.clients[0]!, 'Hello')).toBe('250')
})

import { once } from 'node:events'
import { describe, expect, it } from '@jest/globals'
import { until } from '../testing/mail-setup.ts'
import { milterClient, milterPacket, milterSocket, numbers } from '../testing/milter-client.ts'
import { testMilter } from '../testing/test-milter.ts'

const office = (name: string) => `${name}@office.example`

describe('the negotiation', () => {
  it('asks for what it needs, so that only the end of a mail has a reply', async () => {
    await using milter = await testMilter()
    await using client = await milterClient(milter.url)
    expect(client.agreed).toEqual({ version: 6, actions: 0x1f, steps: 0x1d_f180 })
  })

  it.each([
    ['nothing more than events', { version: 2, actions: 0x1f, steps: 0 }, 0],
    ['the steps of version 2', { version: 2, actions: 0x1f, steps: 0x7f }, 0],
    ['no reply to headers and body', { version: 6, actions: 0x1ff, steps: 0x8_0080 }, 0x8_0080],
    ['no reply to unknown commands, which come', { version: 6, steps: 0x1f_feff }, 0x1f_f080],
    ['steps of a later version', { version: 7, actions: 0xffff_ffff, steps: 0xffff_ffff }, 0x1d_f180],
  ] as const)('works with a mail server that offers %s', async (_, offer, steps) => {
    await using milter = await testMilter(() => ({ type: 'DROP' }))
    await using client = await milterClient(milter.url, offer)
    expect(client.agreed).toEqual({
      version: Math.min(offer.version, 6),
      actions: 0x1f,
      steps,
    })
    if ((steps & 0x100) === 0) await client.event('U', 'BDAT')
    expect(await client.ask()).toMatchObject({ reply: 'd' })
    expect(await client.ask()).toMatchObject({ reply: 'd' })
    expect(String(milter.mails[1]!.raw)).toBe('From: Ann <ann@far.example>\r\nSubject: Hello\r\n\r\nHi!\r\n')
  })

  it('uses no action that the mail server does not offer', async () => {
    await using milter = await testMilter(address =>
      address === office('bob') ? { type: 'MOVE_TO_JUNK' } : { type: 'DROP' },
    )
    await using client = await milterClient(milter.url, { actions: 0x20 })
    expect(client.agreed.actions).toBe(0)
    expect(await client.ask()).toMatchObject({ reply: 'c', changes: [], progress: 0 })
    expect(await client.ask({ to: ['<bob@office.example>', '<ann@office.example>'] })).toMatchObject({
      reply: 'y 451 4.3.5 The mail server does not let its filter change recipients',
      changes: [],
      progress: 0,
    })
  })
})

it('speaks to Stalwart, which opens a connection for each mail, waits for each reply and passes texts on as they are', async () => {
  await using milter = await testMilter(address => ({
    type: 'BOUNCE',
    parameters: { bounceMessage: `100 % no\n${address}` },
  }))
  await using client = await milterClient(milter.url, { actions: 0xff, steps: 0x42 })
  const { agreed, socket, event } = client
  expect(agreed).toEqual({ version: 6, actions: 0x1f, steps: 0 })
  const daemon = ['{daemon_name}', 'Stalwart SMTP v0.16.0', '{client_ptr}', 'mx.far.example']
  await event('D', Buffer.from('C'), ...daemon, '{client_addr}', '192.0.2.7')
  await event('C', 'client.example', Buffer.from([0x34, 0x30, 0x39]), '192.0.2.7')
  await event('D', Buffer.from('H'), '{tls_version}', 'TLSv1_3')
  await event('H', 'client.example')
  await client.begin({ headers: [['Subject', 'Hello']], body: 'x'.repeat(100_000) })
  // This client removes a single percent sign, as Postfix does, so the sign was not doubled.
  expect((await client.end()).reply).toBe(`y 550 5.7.1 100  no ${office('bob')}`)
  socket.write(milterPacket('Q'))
  await client.closed
  const known = { address: '192.0.2.7', name: 'mx.far.example', helo: 'client.example', tls: 'TLSv1.3' }
  expect(milter.mails.map(({ facts }) => facts)).toEqual([{ client: known }])
})

describe('a mail', () => {
  it('is rebuilt as it was on its way to the mail server', async () => {
    await using milter = await testMilter()
    await using client = await milterClient(milter.url)
    await client.ask({
      from: ['<>', 'BODY=8BITMIME', 'smtputf8'],
      to: ['<"a b"@office.example>', '<@a.example,@b.example:Bob@Office.example>', '<Bob@OFFICE.example>'],
      headers: [
        ['X-No-Space', 'v'],
        ['X-Tab', '\tv'],
        ['Subject', ' Hello\n world,\n\t=?utf-8?q?=C3=A9?='],
        ['X-Raw', Buffer.from([0x20, 0xe9])],
        ['X-Empty', ''],
      ],
      body: `${'x'.repeat(70_000)}\r\n`,
    })
    const [mail] = milter.mails
    expect(mail).toMatchObject({
      id: 'mail-1',
      from: '',
      utf8: true,
      recipients: ['"a b"@office.example', 'Bob@Office.example'],
      everyRule: true,
    })
    expect(mail!.raw.toString('latin1')).toBe(
      'X-No-Space:v\r\nX-Tab:\tv\r\nSubject: Hello\r\n world,\r\n\t=?utf-8?q?=C3=A9?=\r\n' +
        `X-Raw: \xe9\r\nX-Empty:\r\n\r\n${'x'.repeat(70_000)}\r\n`,
    )
  })

  it('may have neither headers nor a body', async () => {
    await using milter = await testMilter()
    await using client = await milterClient(milter.url)
    await client.ask({ headers: [], body: '' })
    expect(String(milter.mails[0]!.raw)).toBe('\r\n')
  })

  it('may have its last bytes in the event of its end', async () => {
    await using milter = await testMilter()
    await using client = await milterClient(milter.url)
    await client.begin()
    client.socket.write(milterPacket('E', Buffer.from('Bye!\r\n')))
    await until(() => milter.mails.length === 1)
    expect(String(milter.mails[0]!.raw)).toMatch(/\r\n\r\nHi!\r\nBye!\r\n$/)
  })

  it('follows others on its connection, also after aborts and a quit for a new client', async () => {
    await using milter = await testMilter(address => ({
      type: address.startsWith('ann') ? 'DROP' : 'DEFAULT',
    }))
    await using client = await milterClient(milter.url)
    const toAnn = { to: ['<ann@office.example>'] }
    expect((await client.ask(toAnn)).reply).toBe('d')
    await client.begin(toAnn)
    await client.event('A')
    expect((await client.ask()).reply).toBe('c')
    await client.begin(toAnn)
    // The next mail takes the place of one that has no end.
    expect((await client.ask()).reply).toBe('c')
    await client.event('K')
    await client.event('C', 'other.example', Buffer.from('U'))
    expect((await client.ask(toAnn)).reply).toBe('d')
    expect(milter.mails.map(({ recipients }) => recipients.join())).toEqual(
      ['ann', 'bob', 'bob', 'ann'].map(office),
    )
  })

  it('that is aborted, or whose mail server goes away, invokes nothing', async () => {
    await using milter = await testMilter()
    for (const stop of ['A', 'Q', undefined]) {
      await using client = await milterClient(milter.url)
      await client.begin()
      if (stop !== undefined) await client.event(stop)
      client.socket.end()
      await client.closed
    }
    expect(milter.mails).toEqual([])
  })

  it('whose mail server goes away while the function decides does no harm', async () => {
    let decided = (_: 'open') => {}
    await using milter = await testMilter(() => new Promise(resolve => (decided = resolve)))
    await using client = await milterClient(milter.url)
    await client.begin()
    client.socket.write(milterPacket('E'))
    await until(() => milter.mails.length === 1)
    client.socket.resetAndDestroy()
    decided('open')
    await using other = await milterClient(milter.url)
    const answer = other.ask()
    await until(() => milter.mails.length === 2)
    decided('open')
    expect((await answer).reply).toBe('c')
    expect(milter.notices).toEqual([])
  })

  it('keeps the mail server waiting with signs of progress, and for five minutes at most', async () => {
    let decided = (_: 'open') => {}
    await using milter = await testMilter(() => new Promise(resolve => (decided = resolve)))
    await using client = await milterClient(milter.url)
    await client.begin()
    const first = client.end()
    await until(() => milter.mails.length === 1)
    await milter.clock.advance(15_000)
    decided('open')
    expect(await first).toMatchObject({ reply: 'c', changes: [], progress: 3 })
    const second = client.ask()
    await until(() => milter.mails.length === 2)
    await milter.clock.advance(5 * 60_000)
    expect((await second).reply).toMatch(/^y 451 4\.3\.0 /)
  })

  it('is refused for now when the decision fails, with a notice for the operator', async () => {
    await using milter = await testMilter(() => Promise.reject(new Error('No space')))
    await using client = await milterClient(milter.url)
    expect((await client.ask()).reply).toMatch(/^y 451 4\.3\.0 /)
    expect(milter.notices).toEqual(['mail: the milter could not answer: No space'])
  })

  it('is refused when it is too large, or when it has too many recipients', async () => {
    await using milter = await testMilter(() => 'open', { settings: { maxSize: 1000, maxRecipients: 2 } })
    await using client = await milterClient(milter.url)
    expect((await client.ask({ body: 'x'.repeat(10_000_000) })).reply).toBe(
      'y 552 5.3.4 Mail too large: at most 1000 bytes',
    )
    const three = { to: ['<a@office.example>', '<b@office.example>', '<c@office.example>'] }
    expect((await client.ask(three)).reply).toBe('y 550 5.5.3 Too many recipients: at most 2')
    expect((await client.ask({ to: three.to.slice(1) })).reply).toBe('c')
  })
})

describe('the direction', () => {
  const directions = async (options: {
    readonly address?: string
    readonly sender?: { readonly [name: string]: string }
    readonly mailer?: string
  }) => {
    await using milter = await testMilter(() => 'open', {
      milter: { outboundClients: ['10.0.0.0/8', '2001:db8::/32'] },
    })
    await using client = await milterClient(milter.url, {}, options.address)
    const { mailer } = options
    await client.ask({
      to: ['<bob@office.example>', '<rita@far.example>', '<postmaster>'],
      macros: {
        ...(options.sender && { sender: options.sender }),
        recipient: path => ({
          ...(path === '<postmaster>' && { '{rcpt_addr}': 'postmaster@office.example' }),
          ...(mailer !== undefined && { '{rcpt_mailer}': mailer }),
        }),
      },
    })
    const [mail] = milter.mails
    return mail!.recipients.map(address => `${address}: ${mail!.directionOf!(address)}`)
  }

  it('is that of the domains of the configuration', async () => {
    expect(await directions({})).toEqual([
      'bob@office.example: INBOUND',
      'rita@far.example: OUTBOUND',
      'postmaster@office.example: INBOUND',
    ])
  })

  it.each([
    ['local', 'INBOUND'],
    ['virtual', 'INBOUND'],
    ['lmtp', 'INBOUND'],
    ['smtp', 'OUTBOUND'],
    ['relay', 'OUTBOUND'],
    ['dovecot', 'OUTBOUND'],
  ])('of mail to other domains is that of the mailer %s: %s', async (mailer, direction) => {
    expect(await directions({ mailer })).toEqual([
      'bob@office.example: INBOUND',
      `rita@far.example: ${direction}`,
      'postmaster@office.example: INBOUND',
    ])
  })

  it.each([
    ['has authenticated', { sender: { '{auth_authen}': 'bob', '{auth_type}': 'PLAIN' } }],
    ['is in a listed network', { address: '10.1.2.3' }],
    ['is in a listed network of IPv6', { address: 'IPv6:2001:db8::1' }],
  ])('is outbound when the client %s', async (_, options) => {
    for (const line of await directions({ ...options, mailer: 'virtual' }))
      expect(line).toMatch(/: OUTBOUND$/)
  })
})

describe('what the mail server says about a recipient', () => {
  it('is not about the next one', async () => {
    await using milter = await testMilter()
    await using client = await milterClient(milter.url)
    await client.event('D', Buffer.from('M'), '{auth_authen}', '')
    await client.event('M', '<ann@far.example>')
    await client.event('D', Buffer.from('R'), '{rcpt_mailer}', 'virtual')
    await client.event('R', '<rita@far.example>')
    await client.event('R', '<eve@far.example>')
    await client.event('N')
    await client.end()
    const [mail] = milter.mails
    expect(mail!.recipients.map(mail!.directionOf!)).toEqual(['INBOUND', 'OUTBOUND'])
  })
})

describe('a hostile mail server', () => {
  const offer = milterPacket('O', numbers(6, 0x1ff, 0x1f_ffff))
  const sender = milterPacket('M', '<ann@far.example>')
  const recipient = milterPacket('R', '<bob@office.example>')

  it.each<[string, readonly Buffer[]]>([
    ['a length of 0', [numbers(0)]],
    ['a length of 2^31', [numbers(2 ** 31), Buffer.alloc(1000)]],
    ['a packet above the limit', [offer, numbers(256 * 1024 + 1)]],
    ['HTTP', [Buffer.from('POST / HTTP/1.1\r\nHost: localhost\r\n\r\n')]],
    ['an event before the negotiation', [sender]],
    ['a short offer', [milterPacket('O', numbers(6, 0x1ff))]],
    ['version 1', [milterPacket('O', numbers(1, 0x1ff, 0x1f_ffff))]],
    ['two negotiations', [offer, offer]],
    ['an unknown code', [offer, milterPacket('Z')]],
    ['macros of nothing', [offer, milterPacket('D')]],
    ['a string without an end', [offer, milterPacket('M', Buffer.from('<ann@far.example>'))]],
    ['a sender without a path', [offer, milterPacket('M')]],
    ['a path of 5000 bytes', [offer, milterPacket('M', 'a'.repeat(5000))]],
    ['a client without a family', [offer, milterPacket('C', 'client.example')]],
    ['a client without an address', [offer, milterPacket('C', 'client.example', Buffer.from('4'))]],
    ['a recipient before the sender', [offer, recipient]],
    ['a head before the sender', [offer, milterPacket('L', 'Subject', 'Hello')]],
    ['a head before the recipients', [offer, sender, milterPacket('L', 'Subject', 'Hello')]],
    ['a header without a value', [offer, sender, recipient, milterPacket('L', 'Subject')]],
    ['a recipient after the head', [offer, sender, recipient, milterPacket('N'), recipient]],
    ['a header after the head', [offer, sender, recipient, milterPacket('N'), milterPacket('L', 'A', 'b')]],
    ['a body before the head', [offer, sender, recipient, milterPacket('B', Buffer.from('Hi!'))]],
    ['an end before the head', [offer, sender, recipient, milterPacket('E')]],
    ['an end without a mail', [offer, milterPacket('E')]],
    [
      'an end after an abort',
      [offer, sender, recipient, milterPacket('N'), milterPacket('A'), milterPacket('E')],
    ],
  ])('that sends %s loses its connection, and only this one', async (_, bytes) => {
    await using milter = await testMilter()
    await using honest = await milterClient(milter.url)
    const socket = milterSocket(milter.url)
    socket.resume()
    socket.write(Buffer.concat(bytes))
    await once(socket, 'close')
    expect((await honest.ask()).reply).toBe('c')
    expect(milter.mails).toHaveLength(1)
    expect(milter.notices).toEqual([])
  })

  it('that stops behind any byte invokes nothing', async () => {
    await using milter = await testMilter()
    const whole = Buffer.concat([
      offer,
      milterPacket('D', Buffer.from('C'), 'j', 'mail.example'),
      milterPacket('C', 'client.example', Buffer.from([0x34, 0, 25]), '192.0.2.1'),
      milterPacket('H', 'client.example'),
      sender,
      recipient,
      milterPacket('T'),
      milterPacket('L', 'Subject', ' Hello'),
      milterPacket('N'),
      milterPacket('B', Buffer.from('Hi!\r\n')),
      milterPacket('E'),
    ])
    await Promise.all(
      Array.from(whole.subarray(1), async (_, at) => {
        const socket = milterSocket(milter.url)
        socket.resume()
        socket.end(whole.subarray(0, at + 1))
        await once(socket, 'close')
      }),
    )
    await using honest = await milterClient(milter.url)
    expect((await honest.ask()).reply).toBe('c')
    expect(milter.mails).toHaveLength(1)
  })

  it('that sends one byte at a time is served', async () => {
    await using milter = await testMilter()
    await using client = await milterClient(milter.url)
    const { socket } = client
    const bytes = Buffer.concat([
      sender,
      recipient,
      milterPacket('N'),
      milterPacket('B', Buffer.alloc(3000, 'x')),
    ])
    for (const byte of bytes) {
      if (!socket.write(Buffer.from([byte]))) await once(socket, 'drain')
      await new Promise<void>(resolve => setImmediate(resolve))
    }
    expect((await client.end()).reply).toBe('c')
    expect(milter.mails[0]!.raw).toHaveLength(3002)
  })

  it('that reads no replies makes the milter stop reading', async () => {
    await using milter = await testMilter()
    const socket = milterSocket(milter.url)
    socket.pause()
    socket.write(Buffer.concat([milterPacket('O', numbers(2, 0, 0)), sender]))
    const events = Buffer.concat(Array.from({ length: 10_000 }, () => milterPacket('H', 'a')))
    let written = 0
    while (written < 1000 && socket.write(events)) written++
    for (let at = 0; at < 100; at++) {
      if (socket.writableNeedDrain) break
      await new Promise(resolve => setTimeout(resolve, 10))
    }
    expect(socket.writableNeedDrain).toBe(true)
    socket.destroy()
  })

  it('with hundreds of connections leaves room for others: the most silent one gives way', async () => {
    await using milter = await testMilter(() => 'open', { settings: { maxConnections: 20 } })
    const first = await milterClient(milter.url)
    await milter.clock.advance(1000)
    await using used = await milterClient(milter.url)
    const idle = await Promise.all(Array.from({ length: 18 }, () => milterClient(milter.url)))
    await milter.clock.advance(1000)
    await used.ask()
    await milter.clock.advance(1000)
    await using next = await milterClient(milter.url)
    await first.closed
    for (let round = 0; round < 300; round++) {
      const socket = milterSocket(milter.url)
      socket.resume()
      await once(socket, 'connect')
      idle.push({ [Symbol.asyncDispose]: async () => void socket.destroy() } as never)
    }
    await using last = await milterClient(milter.url)
    expect((await last.ask()).reply).toBe('c')
    await Promise.all(idle.map(each => each[Symbol.asyncDispose]()))
    await next[Symbol.asyncDispose]()
  })
})

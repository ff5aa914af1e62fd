import { afterEach, describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import {
  type Answer,
  bob,
  type Clients,
  carol,
  clientsOf,
  deliver,
  errorOf,
  key,
  started,
  stopAll,
  text,
} from './testing/message-clients.ts'

afterEach(stopAll)

const shout = (raw: string) =>
  raw.replace('Hi!', 'HI!').replace('Subject: Hello', 'Subject: [External] Hello')

describe.each(['before', 'after'])('a function that decides %s the reply', decide => {
  const rules = [{ direction: 'INBOUND', function: 'sort', decide }]

  it('reads the whole mail and changes it with the stock clients', async () => {
    const seen: string[] = []
    const setup = await started(
      {
        async sort({ messageId }, clients) {
          seen.push(await clients.read(messageId))
          await clients.change(messageId, shout)
          seen.push(await clients.read(messageId))
          return deliver
        },
      },
      { rules },
    )
    const id = await setup.send()
    const mail = await setup.delivered(bob)
    expect(seen.map(each => [each.includes('Subject: Hello\r\n'), each.includes('HI!')])).toEqual([
      [true, false],
      [false, true],
    ])
    expect(mail).toContain('Subject: [External] Hello\r\n')
    expect(mail).toContain('\r\n\r\nHI!\r\n')
    expect(await setup.platform.mail.states()).toMatchObject([{ id, subject: '[External] Hello' }])
    expect(await setup.clients.read(id)).toContain('HI!')
    expect((await errorOf(setup.clients.stored()))?.[0]).toBe('NoSuchKey')
    expect(await errorOf(setup.clients.put(id))).toEqual([
      'MessageFrozen',
      400,
      'No function is deciding on this mail.',
    ])
  })

  it('changes the mail for the recipients of its rule only', async () => {
    const setup = await started(
      {
        async sort({ messageId }, clients) {
          await clients.change(messageId, shout)
          return deliver
        },
      },
      { rules: [{ ...rules[0], recipients: [bob] }] },
    )
    const id = await setup.send([carol, bob])
    expect(await setup.delivered(bob)).toContain('HI!')
    expect(await setup.delivered(carol)).toContain('Hi!')
    const states = await setup.platform.mail.states()
    expect(
      states
        .map(each => [each.id === id, each.subject, ...each.recipients.map(({ address }) => address)])
        .sort(),
    ).toEqual([
      [false, '[External] Hello', bob],
      [true, 'Hello', carol],
    ])
  })

  it('that fails afterwards leaves the mail as it was', async () => {
    const setup = await started(
      {
        async sort({ messageId }, clients) {
          await clients.change(messageId, shout)
          throw new Error('broken')
        },
      },
      { rules },
    )
    await setup.send()
    expect(await setup.delivered(bob)).toContain('Hi!')
  })
})

it('two functions that change one mail get it one after another, and each its own recipients', async () => {
  let running = 0
  const mostRunning: number[] = []
  const changing =
    (word: string): Answer =>
    async ({ messageId }, clients) => {
      mostRunning.push(++running)
      await clients.change(messageId, raw => raw.replace('Hi!', word))
      running--
      return deliver
    }
  const rule = (name: string, recipient: string | undefined, decide: string) =>
    ({ direction: 'INBOUND', function: name, decide, recipients: [recipient] }) as const
  for (const decide of ['before', 'after']) {
    const setup = await started(
      { one: changing('One'), two: changing('Two') },
      { rules: [rule('one', bob, decide), rule('two', carol, decide)] },
    )
    await setup.send([bob, carol])
    expect(await setup.delivered(bob)).toContain('One')
    expect(await setup.delivered(carol)).toContain('Two')
  }
  expect(mostRunning).toEqual([1, 1, 1, 1])
})

it('a changed mail is remembered with its decision, across restarts', async () => {
  using folder = temporaryFolder()
  let calls = 0
  const sort: Answer = async ({ messageId }, clients) => {
    calls++
    await clients.change(messageId, shout)
    return { actions: [{ recipients: [bob], action: { type: 'DEFAULT' } }] }
  }
  const drop: Answer = () => ({ actions: [{ allRecipients: true, action: { type: 'BOUNCE' } }] })
  const rule = { direction: 'INBOUND', decide: 'before' } as const
  const mail = {
    rules: [
      { ...rule, function: 'sort' },
      { ...rule, function: 'refuse', recipients: [carol] },
    ],
  }
  const first = await started({ sort, refuse: drop }, mail, { dataDir: folder.path })
  await expect(first.send([bob, carol])).rejects.toThrow('carol@office.example')
  await first.stop()
  const second = await started(
    { sort, refuse: () => deliver },
    { ...mail, mixed: 'report' },
    { dataDir: folder.path },
  )
  await second.send([bob, carol])
  expect(await second.delivered(bob)).toContain('HI!')
  expect(calls).toBe(1)
})

describe('a put is refused', () => {
  const setupWith = async (
    answer: (clients: Clients, id: string) => Promise<unknown>,
    mail: object = {},
    more = {},
  ) => {
    const results: unknown[] = []
    const setup = await started(
      {
        async sort({ messageId }, clients) {
          results.push(await answer(clients, messageId))
          return deliver
        },
      },
      mail,
      more,
    )
    return { ...setup, results }
  }

  it('of an unknown mail, and of a mail on which no function decides', async () => {
    const { clients, send } = await setupWith(async () => {})
    const id = await send()
    await clients.store(text)
    expect((await errorOf(clients.put('no-such-mail')))?.slice(0, 2)).toEqual([
      'ResourceNotFoundException',
      404,
    ])
    expect((await errorOf(clients.read('no-such-mail')))?.slice(0, 2)).toEqual([
      'ResourceNotFoundException',
      404,
    ])
    expect((await errorOf(clients.put(id)))?.slice(0, 2)).toEqual(['MessageFrozen', 400])
  })

  it('by an asynchronous rule', async () => {
    const { clients, delivered, send, results } = await setupWith(
      async (own, id) => {
        await own.store(shout(await own.read(id)))
        return errorOf(own.put(id))
      },
      { rules: [{ direction: 'INBOUND', function: 'sort', mode: 'async' }] },
    )
    const id = await send()
    expect(await delivered(bob)).toContain('Hi!')
    while (results.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
    expect(results).toEqual([['MessageFrozen', 400, 'An asynchronous rule cannot change a mail.']])
    expect(await clients.read(id)).toContain('Hi!')
  })

  it('without an object, and with a version', async () => {
    const { send, results } = await setupWith(async (clients, id) => {
      const missing = await errorOf(clients.put(id))
      await clients.store(await clients.read(id))
      return [missing, await errorOf(clients.put(id, { objectVersion: 'v1' }))]
    })
    await send()
    expect(results[0]).toEqual([
      ['InvalidContentLocation', 400, expect.stringContaining('There is no object a b/ü.eml')],
      ['InvalidContentLocation', 400, 'Objects have no versions: leave objectVersion out.'],
    ])
  })

  it('with a content that is no mail, that is too large, or that changes the author', async () => {
    const { send, delivered, results } = await setupWith(
      async (clients, id) => {
        const raw = await clients.read(id)
        const refused = []
        for (const content of [
          'no mail',
          raw.replace('Ann <ann@far.example>', 'Eve <eve@far.example>'),
          raw.replace('Subject: Hello', 'Subject: Hello\r\nSubject: Again'),
          raw.replace('Received:', 'X-Received:'),
          raw + 'x'.repeat(1200),
          raw + 'x\n'.repeat(6000),
        ]) {
          await clients.store(content)
          refused.push(await errorOf(clients.put(id)))
        }
        return [...refused, await errorOf(clients.store(Buffer.alloc(20_000, 'x\n')))]
      },
      { maxSize: 0.016 },
    )
    await send()
    expect(results[0]).toEqual([
      ['MessageRejected', 400, expect.stringContaining('The content is not a mail')],
      ['MessageRejected', 400, 'The header from must stay as it was.'],
      ['MessageRejected', 400, 'The header subject must occur once.'],
      ['MessageRejected', 400, 'The header received must stay as it was.'],
      ['MessageRejected', 400, 'The content has a line of more than 998 bytes.'],
      [
        'MessageRejected',
        400,
        expect.stringMatching(/^The content has \d+ bytes, and a mail at most \d+\.$/),
      ],
      ['EntityTooLarge', 400, expect.stringContaining('bytes')],
    ])
    expect(await delivered(bob)).toContain('Hi!')
  })

  it('by an identity without the right, and with the object of another identity', async () => {
    const identities = Object.fromEntries(
      Object.entries({ changer: ['read', 'change'], other: ['read', 'change'], reader: ['read'] }).map(
        ([name, rights]) => {
          const { accessKeyId: id, secretAccessKey: secret } = key(name)
          const mail = Object.fromEntries(rights.map(right => [right, ['*']]))
          return [name, { keys: [{ id, secret }], rights: { mail } }]
        },
      ),
    )
    let url = ''
    const { send, results, ...setup } = await setupWith(
      async (changer, id) => {
        const [reader, other] = [clientsOf(url, key('reader')), clientsOf(url, key('other'))]
        await other.store(shout(await reader.read(id)))
        const guesser = clientsOf(url, { ...key('changer'), secretAccessKey: 'wrong' })
        const refused = [
          await errorOf(reader.store(text)),
          await errorOf(reader.put(id)),
          await errorOf(guesser.put(id)),
          await errorOf(guesser.store(text)),
          await errorOf(changer.put(id)),
        ]
        await other.put(id)
        return [...refused, (await other.read(id)).includes('HI!'), (await reader.read(id)).includes('HI!')]
      },
      {},
      { access: { identities } },
    )
    url = setup.url
    await send()
    expect(results[0]).toEqual([
      ['AccessDenied', 403, expect.stringContaining('User: reader is not authorized')],
      ['AccessDeniedException', 403, expect.stringContaining('workmailmessageflow:PutRawMessageContent')],
      ['InvalidSignatureException', 403, expect.stringContaining('does not match')],
      ['SignatureDoesNotMatch', 403, expect.stringContaining('does not match')],
      ['InvalidContentLocation', 400, expect.stringContaining('no object')],
      // Only the client that has changed the mail reads the change, until the function has decided.
      ...[true, false],
    ])
    expect(await setup.delivered(bob)).toContain('HI!')
  })
})

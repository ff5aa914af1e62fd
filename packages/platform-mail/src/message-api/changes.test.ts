import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { mailSetup } from '../testing/mail-setup.ts'
import { milterClient } from '../testing/milter-client.ts'
import { offerTestMail } from '../testing/offer-mail.ts'

const deliver = { actions: [{ action: { type: 'DEFAULT' }, allRecipients: true }] }
const [bob, carol] = ['bob@office.example', 'carol@office.example'] as const

/** The body of a request that puts the object `x` in the place of a mail's content. */
const reference = JSON.stringify({ content: { s3Reference: { bucket: 'changes', key: 'x' } } })

/** Makes a request of the message API. Returns its body. */
async function ask(url: string, init?: RequestInit): Promise<string> {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.headers.get('x-amzn-errortype')} ${text}`)
  return text
}

const store = (url: string, body: string) => ask(`${url}/objects/changes/x`, { method: 'PUT', body })
const put = (url: string, id: string) => ask(`${url}/messages/${id}`, { method: 'POST', body: reference })

/** Changes a mail over HTTP. Returns the text that it had before. */
async function change(url: string, id: string, of: (raw: string) => string): Promise<string> {
  const raw = await ask(`${url}/messages/${id}`)
  await store(url, of(raw))
  await put(url, id)
  return raw
}

it('the content of a mail that nobody gets is not remembered with the decision', async () => {
  using folder = temporaryFolder()
  await using setup = await mailSetup(
    async ({ messageId }) => {
      await change(setup.urls.control, messageId, raw => raw.replace('Hi!', 'Changed'))
      return { actions: [{ action: { type: 'BOUNCE' }, allRecipients: true }] }
    },
    { inbound: { decide: 'before' }, dataDir: folder.path },
  )
  await expect(setup.send()).rejects.toThrow('550 5.7.1')
  const database = new DatabaseSync(join(folder.path, 'mail.sqlite'), { readOnly: true })
  const [decision] = database.prepare('select decision, raw from early_decisions').all()
  database.close()
  expect(decision).toEqual({ decision: expect.any(String), raw: null })
})

it('a retry gets the mail as it was before the failed attempt changed it', async () => {
  const seen: string[] = []
  await using setup = await mailSetup(
    async ({ messageId }) => {
      seen.push(await change(setup.urls.control, messageId, raw => raw.replace('Hi!', 'Hi! Hi!')))
      if (seen.length === 1) throw new Error('broken')
      return deliver
    },
    { inbound: { timeout: 10 } },
  )
  const id = await setup.send()
  await setup.calm()
  expect(String(await setup.platform.mail.fetch(id))).toContain('\r\nHi!\r\n')
  await setup.pass(1)
  expect(seen.map(raw => raw.includes('\r\nHi!\r\n'))).toEqual([true, true])
  expect((await setup.inbox(bob))[0]!.text).toContain('\r\nHi! Hi!\r\n')
  expect(await setup.recipientReports(id)).toMatchObject({ [bob]: { state: 'delivered' } })
})

it('recipients of a changed mail are filed by its spam flag, and those that the function adds get it, too', async () => {
  await using setup = await mailSetup(async ({ messageId }) => {
    await change(setup.urls.control, messageId, raw =>
      raw.replace('Subject:', 'X-Spam-Flag: YES\r\nSubject:'),
    )
    return { actions: [{ action: { type: 'DEFAULT' }, recipients: [bob, carol] }] }
  })
  await setup.send()
  await setup.calm()
  const [first] = await setup.inbox(bob)
  const [added] = await setup.inbox(carol)
  expect([first!.folder, added!.folder]).toEqual(['junk', 'junk'])
  expect(added!.text).toContain('X-Spam-Flag: YES')
})

it.each(['before', 'after'] as const)(
  'the sender of a mail that bounces %s the reply for some gets back the head that was sent',
  async decide => {
    const bounce = { action: { type: 'BOUNCE' }, recipients: [bob] }
    await using setup = await mailSetup(
      async ({ messageId }) => {
        await change(setup.urls.control, messageId, raw => raw.replace('Subject: Hello', 'Subject: Changed'))
        return { actions: [bounce, ...deliver.actions] }
      },
      { inbound: { decide }, mixed: 'report', relay: 'keep' },
    )
    await setup.send({ to: [bob, carol] })
    await setup.calm()
    expect((await setup.inbox(carol))[0]!.text).toContain('Changed')
    const [report] = await setup.inbox('ann@far.example')
    expect(report!.text).toContain('Subject: Hello')
    expect(report!.text).not.toContain('Changed')
  },
)

it('a mail that a function drops after it has changed it keeps its content', async () => {
  await using setup = await mailSetup(async ({ messageId }) => {
    await change(setup.urls.control, messageId, raw => raw.replace('Hi!', 'Changed'))
    return { actions: [{ action: { type: 'DROP' }, allRecipients: true }] }
  })
  const id = await setup.send()
  await setup.calm()
  expect(String(await setup.platform.mail.fetch(id))).toContain('Hi!')
})

it('a function that cannot change a mail does not have it together with one that can', async () => {
  let running = 0
  const mostRunning: number[] = []
  const results: unknown[] = []
  const changing =
    (word: string) =>
    async ({ messageId }: { readonly messageId: string }) => {
      mostRunning.push(++running)
      const result = await change(setup.urls.control, messageId, raw => raw.replace('Hi!', word)).catch(
        String,
      )
      results.push([word, /MessageFrozen/.test(result)])
      running--
      return word === 'Sync' ? deliver : null
    }
  const rule = { direction: 'INBOUND' } as const
  await using setup = await mailSetup(changing('Sync'), {
    functions: { watch: { handler: changing('Async') } },
    rules: [
      { ...rule, function: 'watch', mode: 'async', recipients: [carol] },
      { ...rule, function: 'sort', recipients: [bob] },
    ],
  })
  await setup.send({ to: [bob, carol] })
  while (results.length < 2) await new Promise(resolve => setTimeout(resolve, 5))
  await setup.calm()
  expect(mostRunning).toEqual([1, 1])
  expect(results.sort()).toEqual([
    ['Async', true],
    ['Sync', false],
  ])
  expect((await setup.inbox(bob))[0]!.text).toContain('Sync')
  expect((await setup.inbox(carol))[0]!.text).toContain('Hi!')
})

it('a change is shown to others when the function has decided', async () => {
  const seen: string[] = []
  await using setup = await mailSetup(async ({ messageId }) => {
    const url = setup.urls.control
    await change(url, messageId, raw => raw.replace('Hi!', 'Changed'))
    seen.push(await ask(`${url}/messages/${messageId}`), await ask(`${url}/mail/${messageId}`))
    return deliver
  })
  const id = await setup.send()
  await setup.calm()
  expect(seen.map(raw => raw.includes('Changed'))).toEqual([true, false])
  expect(await ask(`${setup.urls.control}/mail/${id}`)).toContain('Changed')
})

it('a put that began in an attempt that failed does not count for the retry', async () => {
  let late = (): Promise<string> => Promise.reject(new Error('There was no first attempt.'))
  let answer = ''
  let attempts = 0
  await using setup = await mailSetup(
    async ({ messageId }) => {
      const url = setup.urls.control
      if (++attempts === 1) {
        late = await begunPut(url, messageId)
        throw new Error('broken')
      }
      await store(url, (await ask(`${url}/messages/${messageId}`)).replace('Hi!', 'Late'))
      answer = await late()
      return deliver
    },
    { inbound: { timeout: 10 } },
  )
  await setup.send()
  await setup.calm()
  await setup.pass(1)
  expect(answer).toContain('MessageFrozen')
  expect((await setup.inbox(bob))[0]!.text).toContain('Hi!')
})

/** Sends a put except for the end of its body. Returns a function that sends the rest, and returns the answer. */
async function begunPut(url: string, id: string): Promise<() => Promise<string>> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1')
  const received: string[] = []
  socket.on('data', (text: string) => received.push(text))
  await once(socket, 'connect')
  const head = `POST /messages/${id} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${reference.length}`
  await new Promise(resolve => socket.write(`${head}\r\n\r\n${reference.slice(0, -1)}`, resolve))
  // The answers show that the platform has read the head.
  for (let count = 0; count < 3; count++) await ask(`${url}/messages/${id}`)
  return () =>
    new Promise((resolve, reject) => {
      socket.on('error', reject).on('close', () => resolve(received.join('')))
      socket.end(reference.slice(-1))
    })
}

it('a put that is sent again for a lost answer is accepted, until another attempt', async () => {
  const results: string[] = []
  let attempts = 0
  await using setup = await mailSetup(
    async ({ messageId }) => {
      const url = setup.urls.control
      if (++attempts === 1) {
        await change(url, messageId, raw => raw.replace('Hi!', 'Changed'))
        results.push(await put(url, messageId))
        throw new Error('broken')
      }
      results.push(await put(url, messageId).catch(String))
      return deliver
    },
    { inbound: { timeout: 10 } },
  )
  await setup.send()
  await setup.calm()
  await setup.pass(1)
  expect(results).toEqual(['', expect.stringContaining('InvalidContentLocation')])
  expect((await setup.inbox(bob))[0]!.text).toContain('Hi!')
})

it('the object of a refused put is deleted', async () => {
  const results: string[] = []
  await using setup = await mailSetup(async ({ messageId }) => {
    await store(setup.urls.control, 'no mail')
    results.push(await put(setup.urls.control, messageId).catch(String))
    results.push(await ask(`${setup.urls.control}/objects/changes/x`).catch(String))
    return deliver
  })
  const id = await setup.send()
  await setup.calm()
  await store(setup.urls.control, 'too late')
  results.push(await put(setup.urls.control, id).catch(String))
  results.push(await ask(`${setup.urls.control}/objects/changes/x`).catch(String))
  const missing = expect.stringContaining('NoSuchKey')
  expect(results).toEqual([
    ...[expect.stringContaining('MessageRejected'), missing],
    ...[expect.stringContaining('MessageFrozen'), missing],
  ])
})

it('a decision on a mail that can be changed is not one on a mail that cannot, and the reverse', async () => {
  await using setup = await mailSetup(
    async ({ messageId }) => {
      const changed = change(setup.urls.control, messageId, raw => raw.replace('Hi!', 'Changed'))
      const type = await changed.then(
        () => 'DEFAULT',
        () => 'DROP',
      )
      return { actions: [{ action: { type }, allRecipients: true }] }
    },
    { inbound: { decide: 'before' }, milter: { port: 0 } },
  )
  await using client = await milterClient(setup.urls.milter, { actions: 0x1fd })
  const asked = async (id: string) => {
    const headers = [
      ['Message-ID', ` ${id}`],
      ['Subject', ' Hello'],
    ] as const
    return (await client.ask({ headers, body: 'Hi!\r\n' })).reply
  }
  const offered = async (id: string) => (await offerTestMail(setup.urls.smtp, { id }))[0]
  const [first, second] = ['<1@far.example>', '<2@far.example>'] as const
  const stored = await offered(first)
  expect([await asked(first), await asked(first)]).toEqual(['d', 'd'])
  expect(await offered(first)).toBe(stored)
  expect(await asked(second)).toBe('d')
  expect(await offered(second)).toMatch(/^250/)
  await setup.calm()
  const mails = await setup.inbox(bob)
  expect(mails.map(({ text }) => text.includes('Changed'))).toEqual([true, true])
  expect(setup.events).toHaveLength(4)
})

it('an address that two rules add gets the mail once, although one of them has changed it', async () => {
  const dora = 'dora@office.example'
  const rule = { direction: 'INBOUND', function: 'sort', decide: 'before' } as const
  await using setup = await mailSetup(
    async ({ messageId, envelope }) => {
      const { address } = envelope.recipients[0]!
      if (address === bob) await change(setup.urls.control, messageId, raw => raw.replace('Hi!', 'Changed'))
      return { actions: [{ action: { type: 'DEFAULT' }, recipients: [address, dora] }] }
    },
    {
      rules: [
        { ...rule, recipients: [bob] },
        { ...rule, recipients: [carol] },
      ],
    },
  )
  await setup.send({ to: [bob, carol] })
  await setup.calm()
  const changed = async (address: string) =>
    (await setup.inbox(address)).map(({ text }) => text.includes('Changed'))
  expect([await changed(bob), await changed(carol), await changed(dora)]).toEqual([[true], [false], [true]])
})

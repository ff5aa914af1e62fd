import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type HeadOf, head, mailOf } from '@signalbox/platform-mail/testing/head-arbitrary'
import { until } from '@signalbox/platform-mail/testing/mail-setup'
import { type SmtpDialogue, smtpDialogue } from '@signalbox/platform-mail/testing/smtp-dialogue'
import { freePort } from '@signalbox/platform-runtime/testing/free-port'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import fc from 'fast-check'
import { type PlatformProcess, startPlatform } from '../soak/platform-process.ts'
import { hasPostfix, type Postfix, type PostfixOptions, startPostfix } from './testing/postfix.ts'

const changedBody = fc.constantFrom(
  ...['', 'Hi!\r\n', '.\r\n..\r\n', '\r\n\r\n', `${'x'.repeat(78)}\r\n`.repeat(2000)],
)

/** Returns the headers of a head as they are in a mailbox. */
const linesOf = (head: HeadOf) =>
  head.map(([name, value]) => `${name}:${Buffer.from(value.replaceAll('\r\n', '\n'), 'latin1')}`)

const title = hasPostfix
  ? 'the milter with Postfix'
  : 'the milter with Postfix (skipped: needs Postfix, as root)'

;(hasPostfix ? describe : describe.skip)(title, () => {
  let folder: ReturnType<typeof temporaryFolder>
  let port: number
  let filter: PlatformProcess
  let postfix: Postfix
  const program = new URL('./testing/filter.ts', import.meta.url)
  const start = async (options: object = {}) => {
    filter = await startPlatform(program, folder.path, [`${port}`, JSON.stringify(options)])
  }

  beforeAll(async () => {
    folder = temporaryFolder()
    port = await freePort()
    await start()
    postfix = await startPostfix(folder.path, { smtpd_milters: `inet:127.0.0.1:${port}` })
  }, 60_000)
  afterAll(async () => {
    await postfix[Symbol.asyncDispose]()
    await filter.kill()
    folder[Symbol.dispose]()
  }, 60_000)

  /** The number of times that the function was given a mail with this subject. */
  const invocations = (subject: string) => {
    const path = join(folder.path, 'invocations')
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
    return lines.filter(line => line === subject).length
  }
  const inbox = (name: string, subject: string) =>
    postfix.inbox(name).filter(text => new RegExp(`^Subject: ${subject}$`, 'm').test(text))

  const envelope = (to: readonly string[], parameters = '') => [
    `MAIL FROM:<eve@far.example>${parameters}`,
    ...to.map(address => `RCPT TO:<${address.includes('@') ? address : `${address}@office.example`}>`),
    'DATA',
  ]
  const text = (subject: string, headers = '') =>
    `Subject: ${subject}\r\nMessage-ID: <${subject}@far.example>\r\nDate: Sun, 29 Nov 2026 12:00:00 +0000\r\n${headers}\r\nHi!\r\n.`

  const connect = async () => {
    const dialogue = await smtpDialogue(postfix.url)
    await dialogue.say('EHLO client.example')
    return dialogue
  }
  /** Sends a mail on a connection. Returns the reply to the first command that is refused, or to the mail. */
  const sendOn = async (
    client: SmtpDialogue,
    to: readonly string[],
    subject: string,
    more = '',
    headers = '',
  ) => {
    for (const line of envelope(to, more)) {
      const reply = await client.say(line)
      if (!/^[23]/.test(reply ?? '')) return reply
    }
    return client.say(text(subject, headers))
  }
  const send = async (to: readonly string[], subject: string, more = '', headers = '') => {
    await using client = await connect()
    return await sendOn(client, to, subject, more, headers)
  }
  const arrived = (name: string, subject: string) => until(() => inbox(name, subject).length > 0)

  it('delivers a mail that the function lets pass', async () => {
    expect(await send(['ann', 'bob'], 'pass')).toMatch(/^250 2\.0\.0 /)
    await arrived('ann', 'pass')
    await arrived('bob', 'pass')
    expect(invocations('pass')).toBe(1)
  })

  it('tells the function about the client, as Postfix does without further settings', async () => {
    await using client = await connect()
    await client.say('EHLO Again.example')
    expect(await sendOn(client, ['ann'], 'client')).toMatch(/^250 /)
    const lines = readFileSync(join(folder.path, 'clients'), 'utf8').trim().split('\n')
    const events = lines.map(line => JSON.parse(line)).filter(({ subject }) => subject === 'client')
    expect(events).toEqual([
      { subject: 'client', client: expect.objectContaining({ address: '127.0.0.1', helo: 'again.example' }) },
    ])
  })

  it('refuses a mail that the function bounces, with its text', async () => {
    expect(await send(['bounce'], 'no')).toBe('550 5.7.1 Große 100 % sure\n5.7.1 250 OK'.replace('ß', '?'))
    expect(inbox('bounce', 'no')).toEqual([])
  })

  it('gives a client with SMTPUTF8 the text in all scripts', async () => {
    expect(await send(['bounce', 'bö'], 'utf8', ' SMTPUTF8')).toMatch(
      /^550 5\.7\.1 The mail was not [^\n]*\n.*Größe/,
    )
    expect(await send(['bö'], 'utf8-pass', ' SMTPUTF8')).toMatch(/^250 /)
    await arrived('bö', 'utf8-pass')
  })

  it('discards a mail that the function drops, and delivers it to the other recipients', async () => {
    expect(await send(['drop'], 'drop')).toMatch(/^250 /)
    expect(await send(['drop', 'Ann', 'drop', 'bob'], 'some')).toMatch(/^250 /)
    await arrived('bob', 'some')
    await arrived('ann', 'some')
    expect(inbox('drop', '(?:drop|some)')).toEqual([])
    expect(invocations('drop')).toBe(1)
  })

  it('refuses a mail that is bounced for some recipients, for all of them', async () => {
    expect(await send(['ann', 'bounce'], 'mixed')).toMatch(
      /^550 5\.7\.1 The mail was not delivered to anyone.*\n5\.7\.1 bounce@office\.example: /,
    )
    expect(inbox('ann', 'mixed')).toEqual([])
  })

  it('flags mail for the junk folder, whatever flags the sender wrote', async () => {
    expect(await send(['junk'], 'junk', '', 'X-Spam-Flag: NO\r\nX-Spam-Flag: no\r\n')).toMatch(/^250 /)
    await arrived('junk', 'junk')
    expect(inbox('junk', 'junk')[0]!.match(/^X-Spam-Flag:.*$/gim)).toEqual(['X-Spam-Flag: YES'])
  })

  it('delivers mail for the junk folder of some recipients to their subaddresses', async () => {
    expect(await send(['junk', 'ann'], 'part')).toMatch(/^250 /)
    await arrived('ann', 'part')
    await arrived('junk+junk', 'part')
    expect([...inbox('ann', 'part'), ...inbox('junk+junk', 'part')].join()).not.toMatch(/X-Spam-Flag/)
    expect(inbox('junk', 'part')).toEqual([])
  })

  it('delivers a mail that the function has changed, whatever has changed', async () => {
    await using client = await connect()
    const samples = fc.sample(fc.tuple(head, head, changedBody), { numRuns: 60, seed: 1 })
    const inTransit = /^(?:Return-Path|X-Original-To|Delivered-To|Received):/
    const mails: { readonly id: string; readonly after: readonly string[]; readonly body: string }[] = []
    for (const [at, [old, own, body]] of samples.entries()) {
      const id = `<become-${at}@far.example>`
      const fixed = [
        ['From', ' Eve <eve@far.example>'],
        ['Message-ID', ` ${id}`],
        ['Date', ' Sun, 29 Nov 2026 12:00:00 +0000'],
      ] as const
      const after = [...own.slice(0, 2), ...fixed, ['Subject', ` Changed ${at}`] as const, ...own.slice(2)]
      const content = mailOf(after, body).toString('base64').replace(/.{76}/g, '$&\r\n')
      const sent = mailOf([...fixed, ['Subject', ' become'], ...old], `${content}\r\n.`).toString()
      for (const line of envelope(['cyd'])) expect(await client.say(line)).toMatch(/^[23]/)
      expect(await client.say(sent)).toMatch(/^250 /)
      mails.push({ id, body, after: linesOf(after) })
    }
    await until(() => postfix.inbox('cyd').length >= mails.length)
    const found = postfix.inbox('cyd').map(text => {
      const end = text.indexOf('\n\n')
      const headers = text.slice(0, end).split(/\n(?![ \t])/)
      return { headers: headers.filter(line => !inTransit.test(line)), body: text.slice(end + 2) }
    })
    for (const { id, after, body } of mails) {
      const mail = found.find(({ headers }) => headers.includes(`Message-ID: ${id}`))
      expect(mail).toEqual({ headers: after, body: body.replaceAll('\r\n', '\n') })
    }
  }, 60_000)

  it('asks clients to come again while the function fails or takes too long, unless the fallback decides', async () => {
    for (const subject of ['fail', 'hang'])
      expect(await send(['ann'], subject)).toMatch(/^451 4\.3\.0 The mail cannot be checked now/)
    expect(await send(['rita@far.example'], 'hang')).toMatch(/^550 5\.3\.0 /)
    expect(inbox('ann', '(?:fail|hang)')).toEqual([])
  })

  it('serves several mails on a connection, also after RSET, and without those that have no end', async () => {
    await using client = await connect()
    expect(await sendOn(client, ['bounce'], 'first')).toMatch(/^550 /)
    for (const line of envelope(['ann']).slice(0, 2)) await client.say(line)
    expect(await client.say('RSET')).toMatch(/^250 /)
    expect(await sendOn(client, ['ann'], 'second')).toMatch(/^250 /)
    for (const line of envelope(['ann'])) await client.say(line)
    client.send('Subject: lost\r\n\r\nHi!\r\n')
    client.socket.destroy()
    await arrived('ann', 'second')
    expect(await send(['ann'], 'third')).toMatch(/^250 /)
    expect(['first', 'second', 'lost', 'third'].map(invocations)).toEqual([1, 1, 0, 1])
  })

  it('delivers 500 mails of 16 connections, each once', async () => {
    const numbers = Array.from({ length: 500 }, (_, at) => at)
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        await using client = await connect()
        for (let at = numbers.pop(); at !== undefined; at = numbers.pop()) {
          const bounces = at % 5 === 0
          const reply = await sendOn(
            client,
            [at % 5 === 1 ? 'drop' : bounces ? 'bounce' : 'ann', ...(bounces ? [] : ['bob'])],
            `load-${at}`,
          )
          if (!reply!.startsWith(bounces ? '550 5.7.1 ' : '250 2.0.0 ')) throw new Error(`${at}: ${reply}`)
        }
      }),
    )
    await until(() => inbox('bob', 'load-\\d+').length === 400)
    await until(() => inbox('ann', 'load-\\d+').length === 300)
    expect(inbox('drop', 'load-\\d+')).toEqual([])
    for (let at = 0; at < 500; at++) expect(invocations(`load-${at}`)).toBe(1)
  }, 120_000)

  it('asks over the socket of the recipe, with the lines of the recipe', async () => {
    const recipe = readFileSync(new URL('../../../docs/milter.md', import.meta.url), 'utf8')
    const lines = [...recipe.matchAll(/^([a-z_]+) = (.+)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ])
    const { smtpd_milters: milters = '', ...options } = Object.fromEntries(lines) as PostfixOptions
    expect(Object.keys(options)).toEqual(['milter_default_action', 'smtpd_recipient_limit'])
    const place = milters.replace('unix:', '')
    const socket = join(folder.path, 'queue', place)
    mkdirSync(dirname(socket), { recursive: true })
    execFileSync('chgrp', ['postfix', dirname(socket)])
    chmodSync(dirname(socket), 0o2750)
    await filter.kill()
    await start({ milter: { socket } })
    postfix.change({ smtpd_milters: milters, ...options })
    await until(async () => (await send(['bounce'], 'socket'))?.startsWith('550 5.7.1 Gro?e') === true)
    // A killed filter leaves the file of its socket.
    await filter.kill()
    await start({ milter: { socket } })
    expect(await send(['bounce'], 'again')).toMatch(/^550 5\.7\.1 Gro\?e/)
    await filter.kill()
    await start()
    postfix.change({})
    await until(async () => (await send(['bounce'], 'port'))?.startsWith('550 5.7.1 ') === true)
  }, 60_000)

  describe('when the filter is killed', () => {
    /** Starts the filter again. The client still has the mail, and sends it once more. */
    const comesAgain = async (subject: string) => {
      await start()
      expect(await send(['ann'], subject)).toMatch(/^250 /)
      await arrived('ann', subject)
      expect(inbox('ann', subject)).toHaveLength(1)
    }

    it.each([
      ['at the connection', 'connect', 0],
      ['after RCPT', 'rcpt', 2],
      ['after DATA', 'data', 3],
    ])('%s, the client comes again', async (_, subject, steps) => {
      await using client = await connect()
      const lines = [...envelope(['ann']), text(subject)]
      for (const line of lines.slice(0, steps)) expect(await client.say(line)).toMatch(/^[23]/)
      await filter.kill()
      let reply: string | undefined = '250'
      for (const line of lines.slice(steps)) if (/^[23]/.test(reply ?? '')) reply = await client.say(line)
      expect(reply).toMatch(/^451 /)
      await comesAgain(subject)
    })

    it('while the function decides, the client comes again', async () => {
      const reply = send(['ann'], 'wait')
      await until(() => invocations('wait') === 1)
      await filter.kill()
      expect(await reply).toMatch(/^451 /)
      await comesAgain('wait')
    })
  })

  describe('while the filter is away', () => {
    beforeAll(() => filter.kill())
    afterAll(() => start(), 60_000)

    it.each([
      ['tempfail', /^451 /, 0, 0],
      ['accept', /^250 /, 1, 0],
      ['reject', /^550 /, 0, 0],
      ['quarantine', /^250 /, 0, 1],
    ])('the default action %s applies', async (action, reply, delivered, held) => {
      postfix.change({ milter_default_action: action })
      // Postfix may still answer a few mails as it was told before.
      let mails = 0
      await until(async () => reply.test((await send(['bob'], `away-${action}-${++mails}`)) ?? ''))
      const subject = `away-${action}-${mails}`
      if (delivered === 1) await arrived('bob', subject)
      expect(inbox('bob', subject).length > 0).toBe(delivered === 1)
      expect(postfix.queue('hold').length > 0).toBe(held === 1)
    })
  })
})

import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { transportForm } from '../../message/transport-form.ts'
import { belowTrace, mailListener, opening } from '../../testing/mail-listener.ts'
import { smtpReplies } from '../../testing/smtp-dialogue.ts'
import { dataDecoder } from './data-decoder.ts'

/** Generates bytes with many line ends and dots. */
const bytes = fc
  .array(
    fc.oneof(
      fc.constantFrom('\r\n', '.', '\r', '\n', '..', '\r\n.', '\n.\n', '\r.\r', '\0'),
      fc.uint8Array({ maxLength: 20 }),
    ),
    { maxLength: 30 },
  )
  .map(pieces => Buffer.concat(pieces.map(piece => Buffer.from(piece as string))))

/** Returns the content as a client sends it (RFC 5321, 4.5.2). Only CRLF ends a line. */
function stuffed(content: Buffer): Buffer {
  const text = content.toString('latin1').replace(/(^|\r\n)\./g, '$1..')
  return Buffer.from(`${text}${text === '' || text.endsWith('\r\n') ? '' : '\r\n'}.\r\n`, 'latin1')
}

/** Returns the content as a server receives it. The last line always has a line end. */
const whole = (content: Buffer) =>
  content.length === 0 || content.subarray(-2).equals(Buffer.from('\r\n'))
    ? content
    : Buffer.concat([content, Buffer.from('\r\n')])

describe('transparency (RFC 5321, 4.5.2)', () => {
  it('keeps all bytes, regardless of the chunks in which they arrive', () => {
    fc.assert(
      fc.property(bytes, bytes, fc.array(fc.nat(400)), (content, behind, cuts) => {
        const wire = Buffer.concat([stuffed(content), behind])
        const decoder = dataDecoder()
        const got: Buffer[] = []
        let from = 0
        let rest: Buffer | undefined
        for (const to of [...cuts.sort((a, b) => a - b), wire.length]) {
          if (to <= from || rest !== undefined) continue
          const step = decoder.feed(wire.subarray(from, to))
          got.push(step.content)
          rest = step.rest
          from = Math.min(to, wire.length)
        }
        expect(Buffer.concat(got)).toEqual(whole(content))
        expect(Buffer.concat([rest!, wire.subarray(from)])).toEqual(behind)
      }),
      { numRuns: 1000 },
    )
  })

  it('stores any mail exactly as it was sent', async () => {
    await using setup = await mailListener()
    await fc.assert(
      fc.asyncProperty(bytes, async body => {
        await using client = await setup.ready()
        const data = Buffer.concat([Buffer.from('Subject: Hi\r\n\r\n'), body])
        client.send(stuffed(data))
        expect(await client.next()).toMatchObject({ code: 250 })
        expect(belowTrace(setup.mails.pop()!.raw)).toEqual(whole(data))
      }),
      { numRuns: 200 },
    )
  })

  it('removes the first dot of each line', () => {
    const { content } = dataDecoder().feed(Buffer.from('.a\r\n.b\r\n..\r\n...\r\n'))
    expect(String(content)).toBe('a\r\nb\r\n.\r\n..')
  })
})

describe('protection against SMTP smuggling', () => {
  it.each([
    '\n.\n',
    '\n.\r\n',
    '\r\n.\n',
    '\r.\r',
    '\r.\r\n',
    '\r\n.\r',
    '\n.\r',
    '\r\n\0.\r\n',
    '\r\n.\r\r\n',
  ])('%j does not end a mail', async sequence => {
    await using setup = await mailListener()
    await using client = await setup.ready()
    const smuggled = 'MAIL FROM:<evil@far.example>\r\nRCPT TO:<bob@office.example>\r\nDATA\r\nEvil\r\n'
    client.send(`Hello${sequence}${smuggled}.\r\n`)
    expect(await client.next()).toEqual({ code: 250, text: '2.0.0 Stored as mail-1' })
    await client.finish()
    expect(setup.mails).toHaveLength(1)
    expect(String(setup.mails[0]!.raw)).toContain('MAIL FROM:<evil@far.example>')
  })
})

describe('the stored head of a mail', () => {
  it('has a trace line with the id from the reply to DATA', async () => {
    await using setup = await mailListener()
    const replies = await smtpReplies(setup.url, ...opening, '.')
    expect(replies.at(-1)).toBe('250 2.0.0 Stored as mail-1')
    expect(setup.mails[0]).toMatchObject({ id: 'mail-1' })
    expect(String(setup.mails[0]!.raw)).toContain('\tby box.example with ESMTP id mail-1;\r\n')
  })

  const head = [
    'return-path: <eve@far.example>',
    'BCC : kim@office.example,',
    '\tlee@office.example',
    'Subject: Hi',
  ]
  const more = ['Delivered-To: eve@far.example', 'Resent-Bcc: kim@office.example', '', 'Bcc: Hello', '.']

  it('lacks the headers Bcc, Return-Path and Delivered-To that a trusted client sent', async () => {
    await using setup = await mailListener()
    await smtpReplies(setup.url, ...opening, ...head, ...more)
    expect(String(belowTrace(setup.mails[0]!.raw))).toBe('Subject: Hi\r\n\r\nBcc: Hello\r\n')
  })

  it('keeps the Bcc header that an untrusted client sent', async () => {
    await using setup = await mailListener({ settings: { trusted: [] } })
    await smtpReplies(setup.url, ...opening, ...head, ...more)
    expect(String(belowTrace(setup.mails[0]!.raw))).toBe(
      `${[...head.slice(1), 'Resent-Bcc: kim@office.example', '', 'Bcc: Hello'].join('\r\n')}\r\n`,
    )
  })
})

describe('a mail without an empty line above its text (RFC 5322, 2.1)', () => {
  it.each([
    ['has no headers', 'Battery low\r\nReplace it: now\r\n', '', 'Battery low\r\nReplace it: now\r\n'],
    ['begins with a space', ' Battery low\r\n', '', ' Battery low\r\n'],
    [
      'has one header',
      'Subject: alarm\r\nBattery low, this is no header: see\r\nmore\r\n',
      'Subject: alarm\r\n',
      'Battery low, this is no header: see\r\nmore\r\n',
    ],
    ['has beyond ASCII only text', 'Käse ist alle\r\n', '', 'Käse ist alle\r\n'],
    [
      'has headers with other line ends',
      'To: bob@office.example\r\r\nSubject: s\r\r\n\r\r\nbody\r\r\n',
      'To: bob@office.example\r\r\nSubject: s\r\r\n',
      '\r\r\nbody\r\r\n',
    ],
    [
      'begins with the line of a mailbox file',
      'From ann@far.example Thu Jan  1 00:00:00 1970\r\nSubject: s\r\n\r\nbody\r\n',
      'X-Mailbox-Line: From ann@far.example Thu Jan  1 00:00:00 1970\r\nSubject: s\r\n',
      'body\r\n',
    ],
  ])('keeps its text as its body when it %s', async (_case, sent, head, body) => {
    await using setup = await mailListener()
    await using client = await setup.ready()
    client.send(`${sent}.\r\n`)
    expect(await client.next()).toMatchObject({ code: 250 })
    const { raw } = setup.mails[0]!
    expect(String(belowTrace(raw))).toBe(`${head}\r\n${body}`)
    expect((await PostalMime.parse(raw)).text?.trim()).toBe(body.replaceAll('\r', '').trim())
    expect(transportForm(raw, { eightBit: false, utf8: false })).toMatchObject({ eightBitHeaders: false })
  })

  it.each([
    'Subject : old programs write a space\r\n',
    'Subject: only headers\r\n\tand more\r\nX-No-Text: yes\r\n',
    `${'X'.repeat(100)}: a long name\r\n\r\nbody\r\n`,
    '\r\nSubject: a body\r\n',
  ])('is not changed if it needs no empty line: %j', async sent => {
    await using setup = await mailListener()
    await using client = await setup.ready()
    client.send(`${sent}.\r\n`)
    expect(await client.next()).toMatchObject({ code: 250 })
    expect(String(belowTrace(setup.mails[0]!.raw))).toBe(sent)
  })
})

import { describe, expect, it } from '@jest/globals'
import PostalMime from 'postal-mime'
import { mailEvent } from '../testing/index.ts'
import { mailOf } from './mail.ts'
import type { RawMail } from './parse-mail.ts'

const invocation = { signal: new AbortController().signal }
const raw = 'From: Rita <rita@partner.example>\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\r\nHello'

describe('the mail that decide gets', () => {
  it('has the fields of the event and shortcuts to them', () => {
    const event = mailEvent({
      from: 'rita@partner.example',
      sender: 'lists@partner.example',
      recipients: ['ann@office.example', 'ann@office.example', 'bob@office.example'],
      invocationId: 'abc',
    })
    const mail = mailOf({ ...event, region: 'here' } as never, invocation)
    expect(mail).toMatchObject({ ...event, region: 'here' })
    expect(mail).toMatchObject({
      from: 'rita@partner.example',
      recipients: ['ann@office.example', 'ann@office.example', 'bob@office.example'],
      inbound: true,
      outbound: false,
      correlationId: 'abc',
    })
    expect(mail.recipients).toBe(mail.recipients)
    expect(mailOf(mailEvent({ outbound: true }), invocation)).toMatchObject({
      inbound: false,
      outbound: true,
    })
  })

  it('leaves the event unchanged', () => {
    const event = Object.freeze(mailEvent())
    const before = JSON.stringify(event)
    mailOf(event, invocation).recipients
    expect(JSON.stringify(event)).toBe(before)
  })

  it('is fetched only once, by its message id, when decide first asks for it', async () => {
    const fetched: unknown[] = []
    const fetchMessage = (messageId: string, options: unknown) => {
      fetched.push([messageId, options])
      return Promise.resolve(raw)
    }
    const mail = mailOf(mailEvent({ messageId: 'm-1' }), invocation, { fetchMessage })
    expect(fetched).toEqual([])
    expect(await mail.raw()).toBe(raw)
    expect(await mail.raw()).toBe(raw)
    await mail.parsed()
    expect(fetched).toEqual([['m-1', invocation]])
  })

  it('is parsed only once, with postal-mime', async () => {
    const mail = mailOf(mailEvent(), invocation, { fetchMessage: () => Buffer.from(raw) })
    expect(await mail.parsed()).toMatchObject({
      from: { name: 'Rita', address: 'rita@partner.example' },
      subject: 'Grüße',
      text: 'Hello\n',
      attachments: [],
    })
    expect(await mail.parsed()).toBe(await mail.parsed())
  })

  it('is parsed by the "parseMessage" option if it is set', async () => {
    const parseMessage = (text: unknown) => ({ headers: [], attachments: [], text: `parsed ${text}` })
    const mail = mailOf(mailEvent(), invocation, { fetchMessage: () => 'it', parseMessage })
    expect((await mail.parsed()).text).toBe('parsed it')
  })

  it('is parsed with postal-mime when a bundle passes it as an option', async () => {
    const options = { fetchMessage: () => raw, parseMessage: (text: RawMail) => PostalMime.parse(text) }
    expect((await mailOf(mailEvent(), invocation, options).parsed()).subject).toBe('Grüße')
  })

  it('throws an error that names fetchMessage when that option is missing', async () => {
    const mail = mailOf(mailEvent(), invocation)
    await expect(mail.raw()).rejects.toMatchObject({ name: 'InvalidOptionError' })
    await expect(mail.parsed()).rejects.toThrow('mailFlow() needs the option fetchMessage')
  })

  it.each([null, undefined])('throws an error when fetchMessage returns %s', async nothing => {
    const mail = mailOf(mailEvent({ messageId: 'm-1' }), invocation, { fetchMessage: () => nothing as never })
    const message = `fetchMessage returned ${nothing} for m-1, not a mail`
    await expect(mail.raw()).rejects.toThrow(message)
    await expect(mail.parsed()).rejects.toThrow(message)
  })

  it('throws the error that fetchMessage throws', async () => {
    const fetchMessage = () => {
      throw new Error('gone')
    }
    await expect(mailOf(mailEvent(), invocation, { fetchMessage }).raw()).rejects.toThrow('gone')
  })

  it('is changed by the "replaceMessage" option, and is what raw and parsed return then', async () => {
    const replaced: unknown[] = []
    const replaceMessage = async (...call: unknown[]) => void replaced.push(call)
    const mail = mailOf(mailEvent({ messageId: 'm-1' }), invocation, {
      fetchMessage: () => raw,
      replaceMessage,
    })
    expect((await mail.parsed()).text).toBe('Hello\n')
    const changed = raw.replace('Hello', 'Goodbye')
    await mail.replace(changed)
    expect(replaced).toEqual([['m-1', changed, invocation]])
    expect(await mail.raw()).toBe(changed)
    expect((await mail.parsed()).text).toBe('Goodbye\n')
  })

  it('stays as it was when it cannot be changed', async () => {
    const replaceMessage = async () => {
      throw new Error('MessageFrozen')
    }
    const mail = mailOf(mailEvent(), invocation, { fetchMessage: () => raw, replaceMessage })
    await expect(mail.replace('')).rejects.toThrow('MessageFrozen')
    expect(await mail.raw()).toBe(raw)
    const without = mailOf(mailEvent(), invocation, { fetchMessage: () => raw })
    await expect(without.replace('')).rejects.toThrow('mailFlow() needs the option replaceMessage')
  })
})

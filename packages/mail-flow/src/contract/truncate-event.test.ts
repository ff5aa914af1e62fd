import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { arbitraryMailEvent, arbitraryText } from '../testing/arbitrary.ts'
import { mailEvent } from '../testing/index.ts'
import { MailEvent } from './event.ts'
import { truncateEvent } from './truncate-event.ts'

const size = (event: MailEvent) => Buffer.byteLength(JSON.stringify(event))
const many = (count: number) => Array.from({ length: count }, (_, i) => `rëcipient-${i}@office.example`)

describe('truncateEvent', () => {
  it('keeps the first 256 characters of the subject, which `truncated` does not speak of', () => {
    const { subject, truncated } = truncateEvent(mailEvent({ subject: `${'😀'.repeat(256)}!` }))
    expect(subject).toBe('😀'.repeat(256))
    expect(truncated).toBe(false)
  })

  it('truncates an event to 128 KB, and sets "truncated"', () => {
    const event = mailEvent({ recipients: many(5000) })
    const cut = truncateEvent(event)
    expect(cut.truncated).toBe(true)
    expect(size(cut)).toBeLessThanOrEqual(131_072)
    const kept = cut.envelope.recipients.length
    expect(cut.envelope.recipients).toEqual(event.envelope.recipients.slice(0, kept))
    const oneMore = { ...cut.envelope, recipients: event.envelope.recipients.slice(0, kept + 1) }
    expect(size({ ...cut, envelope: oneMore })).toBeGreaterThan(131_072)
    expect(size(event)).toBeGreaterThan(131_072)
  })

  it('keeps all recipients when truncating the subject is enough', () => {
    const event = mailEvent({ recipients: many(10), subject: 'x'.repeat(200_000) })
    expect(truncateEvent(event).envelope.recipients).toHaveLength(10)
  })

  it('keeps no recipient when even the first is too long', () => {
    const { envelope, truncated } = truncateEvent(
      mailEvent({ recipients: [`${'x'.repeat(140_000)}@office.example`] }),
    )
    expect(envelope.recipients).toEqual([])
    expect(truncated).toBe(true)
  })

  const long = `${'x'.repeat(140_000)}@far.example`

  it.each([
    ['sender', { sender: long }],
    ['sender of the envelope', { from: long, sender: 'ann@far.example' }],
  ])('empties a %s that is too long to be an address, and keeps the recipients', (_which, more) => {
    const event = mailEvent({ recipients: many(10), ...more })
    const cut = truncateEvent(event)
    const { sender, envelope } = event
    const rest = (address: string) => (address === long ? '' : address)
    expect(cut).toEqual({
      ...event,
      sender: { address: rest(sender.address) },
      envelope: { ...envelope, mailFrom: { address: rest(envelope.mailFrom.address) } },
      truncated: true,
    })
    expect(size(cut)).toBeLessThanOrEqual(131_072)
  })

  it('keeps the limit when each field is too long', () => {
    const event = mailEvent({ from: long, recipients: many(5000), subject: long })
    const cut = truncateEvent(event)
    expect(size(cut)).toBeLessThanOrEqual(131_072)
    expect(cut.envelope.recipients.length).toBeGreaterThan(1000)
  })

  it('keeps addresses of 320 characters, and drops recipients instead', () => {
    const address = `${'x'.repeat(308)}@far.example`
    const cut = truncateEvent(mailEvent({ from: address, recipients: many(5000) }))
    expect([cut.sender.address, cut.envelope.mailFrom.address]).toEqual([address, address])
  })

  it('keeps all recipients when setting truncated to true makes the event short enough', () => {
    const event = mailEvent({ recipients: [`${'x'.repeat(100)}@office.example`] })
    const filled = mailEvent({ recipients: [`${'x'.repeat(100 + 131_073 - size(event))}@office.example`] })
    expect(size(filled)).toBe(131_073)
    expect(truncateEvent(filled).envelope.recipients).toHaveLength(1)
    expect(truncateEvent(filled).truncated).toBe(true)
  })

  it('returns an event of exactly 128 KB unchanged', () => {
    const event = mailEvent({ recipients: ['x@office.example'] })
    const filled = mailEvent({ recipients: [`${'x'.repeat(1 + 131_072 - size(event))}@office.example`] })
    expect(size(filled)).toBe(131_072)
    expect(truncateEvent(filled)).toBe(filled)
  })

  it('returns any event within the limits unchanged', () => {
    fc.assert(fc.property(arbitraryMailEvent(), event => truncateEvent(event) === event))
  })

  it('returns a valid event for any event whose only fault is its size', () => {
    const long = arbitraryText(600)
    fc.assert(
      fc.property(arbitraryMailEvent(), long, (event, subject) =>
        MailEvent.is(truncateEvent({ ...event, subject })),
      ),
      { numRuns: 50 },
    )
  })
})

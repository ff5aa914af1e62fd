import { describe, expect, it } from '@jest/globals'
import { problems } from '@signalbox/codec'
import { type Drift, signalbox } from '@signalbox/core'
import fc from 'fast-check'
import { mailFlowFamily } from './family.ts'
import { mailFlow } from './mail-flow.ts'
import { arbitraryMailEvent } from './testing/arbitrary.ts'
import { mailEvent } from './testing/index.ts'

describe('mailFlowFamily', () => {
  it('recognizes mail events, even invalid ones, and no other events', () => {
    expect(mailFlowFamily.recognizes(mailEvent())).toBe(true)
    expect(mailFlowFamily.recognizes({ envelope: null, summaryVersion: 1 })).toBe(true)
    expect(mailFlowFamily.recognizes({ envelope: {}, flowDirection: 'INBOUND' })).toBe(true)
    expect(mailFlowFamily.recognizes({ envelope: {}, invocationId: 'x' })).toBe(true)
    const otherEvents = [null, 7, 'mail', [], {}, { envelope: {} }, { summaryVersion: '2019-07-28' }]
    for (const event of otherEvents) expect(mailFlowFamily.recognizes(event)).toBe(false)
  })

  it('advises a handler that gets the event of a receipt rule of SES', async () => {
    const handler = signalbox(mailFlow(() => undefined))
    const event = { Records: [{ eventSource: 'aws:ses', ses: {} }] }
    await expect(handler(event as never)).rejects.toThrow('Use sesMail() of @signalbox/aws.')
    const others = [{ Records: [] }, { Records: [null] }, { Records: [{ eventSource: 'aws:sns' }] }]
    for (const other of others) expect(mailFlowFamily.hint?.(other)).toBeUndefined()
  })

  it('replaces null with an empty value, and reports each replacement', () => {
    const event = {
      ...mailEvent(),
      subject: null,
      truncated: null,
      sender: { address: null },
      envelope: { mailFrom: { address: null }, recipients: [] },
    }
    const drift: Drift[] = []
    mailFlowFamily.normalize(event, drift)
    expect(event).toMatchObject({
      subject: '',
      truncated: false,
      sender: { address: '' },
      envelope: { mailFrom: { address: '' } },
    })
    expect(problems(mailFlowFamily.event, event)).toEqual([])
    expect(drift).toEqual([
      { pointer: '/envelope/mailFrom/address', was: 'null', became: 'an empty text' },
      { pointer: '/sender/address', was: 'null', became: 'an empty text' },
      { pointer: '/subject', was: 'null', became: 'an empty text' },
      { pointer: '/truncated', was: 'null', became: 'false' },
    ])
  })

  it.each([
    ['absent', undefined, '/sender', 'absent'],
    ['null', null, '/sender', 'null'],
    ['without an address', {}, '/sender/address', 'absent'],
  ])('takes a sender that is %s for one with an empty address', (_, sender, pointer, was) => {
    const event = { ...mailEvent(), sender }
    const drift: Drift[] = []
    mailFlowFamily.normalize(event, drift)
    expect(event.sender).toEqual({ address: '' })
    expect(problems(mailFlowFamily.event, event)).toEqual([])
    expect(drift).toMatchObject([{ pointer, was }])
  })

  it('does not add other absent fields', () => {
    const { subject: _, ...event } = mailEvent()
    mailFlowFamily.normalize(event)
    expect(event).not.toHaveProperty('subject')
  })

  it('neither changes a valid event nor reports a change', () => {
    fc.assert(
      fc.property(arbitraryMailEvent(), event => {
        const before = JSON.stringify(event)
        const drift: Drift[] = []
        mailFlowFamily.normalize(event, drift)
        expect(drift).toEqual([])
        expect(JSON.stringify(event)).toBe(before)
      }),
    )
  })

  it('never throws for any JSON value', () => {
    const names = ['envelope', 'mailFrom', 'sender', 'address', 'subject', 'truncated', '__proto__']
    const { json } = fc.letrec(tie => ({
      json: fc.oneof(
        { maxDepth: 3 },
        fc.jsonValue(),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie('json')),
      ),
    }))
    fc.assert(
      fc.property(json, event => {
        mailFlowFamily.recognizes(event)
        mailFlowFamily.normalize(event)
      }),
    )
  })
})

it.each([
  ['the invocation id', { invocationId: 'mail', messageId: 'm' }, 'mail'],
  ['undefined for an empty invocation id', { invocationId: '' }, undefined],
  ['undefined for an invocation id that is a number', { invocationId: 7 }, undefined],
  ['undefined if the event is null', null, undefined],
])('the correlation id of a mail event is %s', (_, event, expected) => {
  expect(mailFlowFamily.correlationId(event)).toBe(expected)
})

import { describe, expect, it } from '@jest/globals'
import { errorPayload } from '@signalbox/core/payload'
import fc from 'fast-check'
import { triggerEvents, triggerResponses } from '../../testing/arbitrary.ts'
import { customEmailSenderEvent, postConfirmationEvent, preSignUpEvent } from '../../testing/index.ts'
import { triggerAttempts, triggerTimeout } from '../limits.ts'
import { knownSource } from '../triggers/source.ts'
import { deniedMessage, triggerVerdict } from './verdict.ts'

const event = preSignUpEvent()
const answer = (response: unknown, of: object = event) => JSON.stringify({ ...of, response })
const pointers = (payload: string, of: unknown = event) => {
  const verdict = triggerVerdict(payload, of)
  return verdict.kind === 'invalid' ? verdict.problems.map(({ pointer }) => pointer) : verdict.kind
}

describe('triggerVerdict', () => {
  it('accepts the original event with its `response` filled', () => {
    expect(triggerVerdict(answer({ autoConfirmUser: true }), event)).toEqual({
      kind: 'accepted',
      response: { autoConfirmUser: true },
    })
    expect(triggerVerdict(answer({}), event)).toEqual({ kind: 'accepted', response: {} })
  })

  it('denies the request when the invocation failed', () => {
    expect(triggerVerdict(errorPayload(new Error('Staff only')), event)).toEqual({
      kind: 'denied',
      message: 'Staff only',
    })
  })

  it('gives the caller the message `<Trigger> failed with error <message>.`', () => {
    expect(deniedMessage('PreSignUp', 'Staff only')).toBe('PreSignUp failed with error Staff only.')
  })

  it('allows a trigger 5 seconds and 3 attempts', () => {
    expect([triggerTimeout, triggerAttempts]).toEqual([5_000, 3])
  })

  it.each([
    ['an empty payload', '', ''],
    ['the payload null', 'null', ''],
    ['a list as the payload', '[]', ''],
    ['a payload that is not JSON', '{', ''],
    ['a number as the payload', '7', ''],
    [
      'an event with another triggerSource',
      JSON.stringify({ ...event, triggerSource: 'PreSignUp_AdminCreateUser' }),
      '/triggerSource',
    ],
    ['an event with another userPoolId', JSON.stringify({ ...event, userPoolId: 'other' }), '/userPoolId'],
    ['an event with another userName', JSON.stringify({ ...event, userName: 'eve' }), '/userName'],
    ['a response without the event', '{"response":{}}', '/triggerSource'],
    ['an event without a response', JSON.stringify({ ...event, response: undefined }), '/response'],
    ['an event whose response is a string', answer('yes'), '/response'],
    ['an event whose response is a list', answer([]), '/response'],
    ['an answer with a wrong type', answer({ autoConfirmUser: 'yes' }), '/response/autoConfirmUser'],
  ])('refuses %s', (_, payload, pointer) => {
    expect(pointers(payload)).toEqual([pointer])
  })

  it('reports the expected and the actual value for each problem', () => {
    const problemsOf = (payload: string | undefined, of: unknown = event) => {
      const verdict = triggerVerdict(payload, of)
      return verdict.kind === 'invalid' ? verdict.problems : verdict.kind
    }
    expect(problemsOf('{')).toEqual([{ pointer: '', expected: 'JSON', actual: 'the payload is not JSON' }])
    expect(problemsOf('7')).toMatchObject([{ expected: 'the event with its response' }])
    expect(problemsOf('{}', {})).toEqual([
      { pointer: '/triggerSource', expected: 'a trigger source', actual: 'something else, in the event' },
    ])
  })

  it('judges a new source of a known trigger by the rules of its trigger', () => {
    const message = { ...event, triggerSource: 'CustomMessage_New', request: { codeParameter: '{####}' } }
    const response = { smsMessage: 'Your code is {####}.' }
    expect(triggerVerdict(answer(response, message), message)).toEqual({ kind: 'accepted', response })
    expect(pointers(answer({ smsMessage: 'Hello' }, message), message)).toEqual(['/response/smsMessage'])
    const sender = { ...event, triggerSource: 'CustomSMSSender_New' }
    expect(triggerVerdict('{', sender)).toEqual({ kind: 'accepted', response: {} })
    expect(pointers('{}', { ...event, triggerSource: 'New_Source' })).toEqual(['/triggerSource'])
  })

  it('treats a missing payload as an empty payload', () => {
    expect(triggerVerdict(undefined, event)).toEqual(triggerVerdict('', event))
  })

  it('accepts an answer with unknown fields, and keeps those fields', () => {
    expect(triggerVerdict(answer({ whatever: 1 }), event)).toEqual({
      kind: 'accepted',
      response: { whatever: 1 },
    })
  })

  it('ignores the response of Post confirmation', () => {
    const confirmed = postConfirmationEvent()
    for (const response of [{}, { autoConfirmUser: 'what?' }, 'text', null]) {
      expect(triggerVerdict(answer(response, confirmed), confirmed)).toEqual({
        kind: 'accepted',
        response: {},
      })
    }
    expect(pointers('null', confirmed)).toEqual([''])
    expect(triggerVerdict(errorPayload(new Error('no')), confirmed)).toMatchObject({ kind: 'denied' })
  })

  it('ignores the return value of senders', () => {
    const sending = customEmailSenderEvent()
    for (const payload of ['', 'null', '{', '7', '{"response":7}']) {
      expect(triggerVerdict(payload, sending)).toEqual({ kind: 'accepted', response: {} })
    }
    expect(triggerVerdict(errorPayload(new Error('no')), sending)).toMatchObject({ kind: 'denied' })
  })

  it.each([
    undefined,
    null,
    7,
    'text',
    {},
    { triggerSource: 'PreSignup_SignUp' },
    { triggerSource: '__proto__' },
  ])('refuses any payload when the event is %p', of => {
    expect(triggerVerdict(answer({}), of)).toMatchObject({
      kind: 'invalid',
      problems: [{ pointer: '/triggerSource' }],
    })
  })

  it('accepts every valid response to any event', () => {
    fc.assert(
      fc.property(
        triggerEvents().chain(sent => {
          const { trigger } = knownSource(sent.triggerSource)!
          return fc.tuple(fc.constant(sent), triggerResponses(trigger))
        }),
        ([sent, response]) => {
          const verdict = triggerVerdict(JSON.stringify({ ...sent, response }), sent)
          // An answer that the codec accepts may be refused by rules that depend on the event.
          const ruled = /^(CustomMessage|TokenGeneration)_/.test(sent.triggerSource)
          expect(ruled ? ['accepted', 'invalid'] : ['accepted']).toContain(verdict.kind)
        },
      ),
    )
  })

  const hostile = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.constantFrom(
      '1e999999',
      '-0',
      '{"response":{},"response":7}',
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      `${'{"response":'.repeat(20_000)}0${'}'.repeat(20_000)}`,
      '{"__proto__":{"response":{}}}',
      '{"errorMessage":7}',
      '\u0000',
    ),
    fc.jsonValue().map(response => answer(response)),
    fc.jsonValue().map(value => JSON.stringify({ ...event, value })),
  )

  it('returns a verdict for any string and any event, and never throws', () => {
    fc.assert(
      fc.property(hostile, fc.oneof(triggerEvents(), fc.jsonValue()), (payload, of) => {
        expect(['accepted', 'denied', 'invalid']).toContain(triggerVerdict(payload, of).kind)
        expect(['accepted', 'denied', 'invalid']).toContain(triggerVerdict(payload, event).kind)
      }),
      { numRuns: 1000 },
    )
  })
})

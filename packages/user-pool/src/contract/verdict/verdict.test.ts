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
  it('accepts the same event with `response` filled', () => {
    expect(triggerVerdict(answer({ autoConfirmUser: true }), event)).toEqual({
      kind: 'accepted',
      response: { autoConfirmUser: true },
    })
    expect(triggerVerdict(answer({}), event)).toEqual({ kind: 'accepted', response: {} })
  })

  it('treats a failed invocation as a denial (extension)', () => {
    expect(triggerVerdict(errorPayload(new Error('Staff only')), event)).toEqual({
      kind: 'denied',
      message: 'Staff only',
    })
  })

  it('gives the caller `<Trigger> failed with error <message>.` (extension)', () => {
    expect(deniedMessage('PreSignUp', 'Staff only')).toBe('PreSignUp failed with error Staff only.')
  })

  it('allows a trigger 5 seconds and 3 attempts (extension)', () => {
    expect([triggerTimeout, triggerAttempts]).toEqual([5_000, 3])
  })

  it.each([
    ['nothing', '', ''],
    ['null', 'null', ''],
    ['a list', '[]', ''],
    ['no JSON', '{', ''],
    ['a number', '7', ''],
    [
      'another source',
      JSON.stringify({ ...event, triggerSource: 'PreSignUp_AdminCreateUser' }),
      '/triggerSource',
    ],
    ['another pool', JSON.stringify({ ...event, userPoolId: 'other' }), '/userPoolId'],
    ['another user', JSON.stringify({ ...event, userName: 'eve' }), '/userName'],
    ['the response alone', '{"response":{}}', '/triggerSource'],
    ['no response', JSON.stringify({ ...event, response: undefined }), '/response'],
    ['a text for a response', answer('yes'), '/response'],
    ['a list for a response', answer([]), '/response'],
    ['a field of the wrong type', answer({ autoConfirmUser: 'yes' }), '/response/autoConfirmUser'],
  ])('refuses %s', (_, payload, pointer) => {
    expect(pointers(payload)).toEqual([pointer])
  })

  it('names the expected and the received value', () => {
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

  it('treats a missing payload as an empty one', () => {
    expect(triggerVerdict(undefined, event)).toEqual(triggerVerdict('', event))
  })

  it('keeps unknown fields', () => {
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

  it('ignores the return value of senders (extension)', () => {
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
  ])('refuses %p as an event', of => {
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
          // Rules that depend on the event may refuse an answer that the codec accepts.
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

  it('has a verdict for any text and any event, and never throws', () => {
    fc.assert(
      fc.property(hostile, fc.oneof(triggerEvents(), fc.jsonValue()), (payload, of) => {
        expect(['accepted', 'denied', 'invalid']).toContain(triggerVerdict(payload, of).kind)
        expect(['accepted', 'denied', 'invalid']).toContain(triggerVerdict(payload, event).kind)
      }),
      { numRuns: 1000 },
    )
  })
})

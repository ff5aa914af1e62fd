import { describe, expect, it } from '@jest/globals'
import { customEmailSenderEvent, postConfirmationEvent, preSignUpEvent } from '../../testing/index.ts'
import { returnedProblems } from './returned-problems.ts'

describe('returnedProblems', () => {
  const event = preSignUpEvent()

  it.each([
    [undefined, 'nothing'],
    [null, 'null'],
    [[], 'a list'],
    ['text', 'a string'],
  ])('refuses %j, which is not an event', (returned, actual) => {
    expect(returnedProblems(returned, event)).toEqual([
      { pointer: '', expected: 'the event with its response', actual },
    ])
  })

  it.each([
    ['userName', { first: 'Eve' }, 'an object'],
    ['userName', null, 'null'],
    ['userPoolId', ['a'], 'a list'],
    ['triggerSource', 7, 'a number'],
  ])('refuses an event with another %s without showing it', (field, value, actual) => {
    expect(returnedProblems({ ...event, [field]: value }, event)).toEqual([
      { pointer: `/${field}`, expected: "the event's own value", actual },
    ])
  })

  it('finds nothing wrong with the event itself, and its answer', () => {
    expect(returnedProblems(event, event)).toEqual([])
    expect(returnedProblems({ ...event, response: { autoConfirmUser: 1 } }, event)).toMatchObject([
      { pointer: '/response/autoConfirmUser' },
    ])
  })

  it('finds no problems in a response that the platform ignores, or for an unknown trigger', () => {
    expect(returnedProblems(7, customEmailSenderEvent())).toEqual([])
    expect(returnedProblems({ ...postConfirmationEvent(), response: 7 }, postConfirmationEvent())).toEqual([])
    expect(returnedProblems(7, { triggerSource: 'PreSignup' })).toEqual([])
  })
})

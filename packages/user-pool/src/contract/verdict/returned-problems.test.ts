import { describe, expect, it } from '@jest/globals'
import { customEmailSenderEvent, postConfirmationEvent, preSignUpEvent } from '../../testing/index.ts'
import { returnedProblems } from './returned-problems.ts'

describe('returnedProblems()', () => {
  const event = preSignUpEvent()

  it.each([
    [undefined, 'nothing'],
    [null, 'null'],
    [[], 'a list'],
    ['text', 'a string'],
  ])('reports %j, which is not an event', (returned, actual) => {
    expect(returnedProblems(returned, event)).toEqual([
      { pointer: '', expected: 'the event with its response', actual },
    ])
  })

  it.each([
    ['an object as userName', 'userName', { first: 'Eve' }, 'an object'],
    ['null as userName', 'userName', null, 'null'],
    ['a list as userPoolId', 'userPoolId', ['a'], 'a list'],
    ['a number as triggerSource', 'triggerSource', 7, 'a number'],
  ] as const)('reports %s without showing the value', (_, field, value, actual) => {
    expect(returnedProblems({ ...event, [field]: value }, event)).toEqual([
      { pointer: `/${field}`, expected: "the event's own value", actual },
    ])
  })

  it('checks only the answer when the rest of the event is unchanged', () => {
    expect(returnedProblems(event, event)).toEqual([])
    expect(returnedProblems({ ...event, response: { autoConfirmUser: 1 } }, event)).toMatchObject([
      { pointer: '/response/autoConfirmUser' },
    ])
  })

  it('reports no problem for a response that the platform ignores or for an unknown trigger', () => {
    expect(returnedProblems(7, customEmailSenderEvent())).toEqual([])
    expect(returnedProblems({ ...postConfirmationEvent(), response: 7 }, postConfirmationEvent())).toEqual([])
    expect(returnedProblems(7, { triggerSource: 'PreSignup' })).toEqual([])
  })
})

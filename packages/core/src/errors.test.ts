import { describe, expect, it } from '@jest/globals'
import {
  DeniedError,
  InvalidEventError,
  InvalidOptionError,
  InvalidResponseError,
  SignalboxError,
  UnknownEventError,
  UnroutedError,
} from './index.ts'

const problems = [{ pointer: '/a', expected: 'string', actual: 'null' }]

describe('errors of Signalbox', () => {
  it.each<[string, string, SignalboxError]>([
    ['InvalidEventError', 'INVALID_EVENT', new InvalidEventError('queue', problems)],
    ['InvalidResponseError', 'INVALID_RESPONSE', new InvalidResponseError('PreSignUp', problems)],
    ['InvalidOptionError', 'INVALID_OPTION', new InvalidOptionError('no')],
    ['UnknownEventError', 'UNKNOWN_EVENT', new UnknownEventError('no')],
    ['UnroutedError', 'UNROUTED', new UnroutedError('PreSignUp_SignUp', [])],
    ['DeniedError', 'DENIED', new DeniedError('no')],
  ])('%s has the code %s', (name, code, error) => {
    expect(error).toBeInstanceOf(SignalboxError)
    expect(error).toBeInstanceOf(Error)
    expect(error.name).toBe(name)
    expect(error.code).toBe(code)
  })

  it('InvalidResponseError names the route and every problem', () => {
    const error = new InvalidResponseError('PreSignUp_SignUp', problems, { cause: 'why' })
    expect(error.message).toMatch(/^What PreSignUp_SignUp returned breaks the contract:\n.*\/a/)
    expect(error.route).toBe('PreSignUp_SignUp')
    expect(error.problems).toBe(problems)
    expect(error.cause).toBe('why')
  })

  it('UnroutedError lists the existing routes', () => {
    const error = new UnroutedError('PreSignUp_SignUp', ['CustomMessage', 'TokenGeneration'])
    expect(error.message).toBe(
      'No route for PreSignUp_SignUp: the routes are CustomMessage, TokenGeneration. Add one, or an `otherwise`.',
    )
    expect(error).toMatchObject({ source: 'PreSignUp_SignUp', routes: ['CustomMessage', 'TokenGeneration'] })
    expect(new UnroutedError('X', []).message).toBe(
      'No route for X: there are no routes. Add one, or an `otherwise`.',
    )
  })
})

import { describe, expect, it } from '@jest/globals'
import { SignalboxError } from '@signalbox/core'
import { DecisionTimeoutError, TooManyActionsError } from './errors.ts'

describe('mail-flow errors', () => {
  it('extend SignalboxError', () => {
    expect(new DecisionTimeoutError()).toBeInstanceOf(SignalboxError)
    expect(new DecisionTimeoutError()).toMatchObject({
      name: 'DecisionTimeoutError',
      code: 'DECISION_TIMEOUT',
    })
  })

  it('shorten long strings in their messages', () => {
    const long = { type: 'BOUNCE', parameters: { bounceMessage: 'x'.repeat(200_000) } } as const
    expect(new TooManyActionsError(Array(10).fill(long), long).message.length).toBeLessThan(2000)
    expect(new TooManyActionsError([], { type: 'BOUNCE', parameters: null }).message).toContain(
      'BOUNCE would be the eleventh',
    )
  })
})

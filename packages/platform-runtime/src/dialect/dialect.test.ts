import { describe, expect, it } from '@jest/globals'
import { type Dialect, translateEvent, translatePayload } from './dialect.ts'

const shouting: Dialect = {
  event: event => ({ EVENT: event }),
  result: (answer, event) => (answer === undefined ? undefined : { answer, to: event }),
}

describe('a dialect', () => {
  it('translates the event for the function', () => {
    expect(translateEvent(shouting, { a: 1 })).toBe('{"EVENT":{"a":1}}')
  })

  it('translates the payload of the function, with access to its event', () => {
    expect(translatePayload(shouting, '[2]', { a: 1 })).toBe('{"answer":[2],"to":{"a":1}}')
  })

  it('leaves a missing answer and text that is not JSON unchanged', () => {
    expect(translatePayload(shouting, '', {})).toBe('')
    expect(translatePayload(shouting, '{oops', {})).toBe('{oops')
  })
})

import { describe, expect, it } from '@jest/globals'
import { type Dialect, translateEvent, translatePayload } from './dialect.ts'

const shouting: Dialect = {
  event: event => ({ EVENT: event }),
  result: (answer, event) => (answer === undefined ? undefined : { answer, to: event }),
}

describe('a dialect', () => {
  it('translates an event before the function gets it', () => {
    expect(translateEvent(shouting, { a: 1 })).toBe('{"EVENT":{"a":1}}')
  })

  it('can use the event to translate the payload that the function returned', () => {
    expect(translatePayload(shouting, '[2]', { a: 1 })).toBe('{"answer":[2],"to":{"a":1}}')
  })

  it('leaves an empty payload and a payload that is not JSON unchanged', () => {
    expect(translatePayload(shouting, '', {})).toBe('')
    expect(translatePayload(shouting, '{oops', {})).toBe('{oops')
  })
})

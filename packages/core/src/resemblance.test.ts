import { describe, expect, it } from '@jest/globals'
import { resemblance } from './index.ts'

describe('resemblance', () => {
  it('names the family with most of the event’s keys, and those keys', () => {
    expect(resemblance({ subject: 'Hi', messageId: '7', path: '/' })).toMatchObject({
      family: 'mail-flow',
      found: ['messageId', 'subject'],
    })
  })

  it.each([[{ hello: 1 }], [null], ['Records'], [undefined]])('finds none in %j', event => {
    expect(resemblance(event)).toBeUndefined()
  })
})

import { describe, expect, it } from '@jest/globals'
import { compareSides, fuzz } from './agreement.fuzz.ts'
import { mailEvent } from './testing/index.ts'

class Dropped {
  get actions() {
    return [{ action: { type: 'DROP' }, allRecipients: true }]
  }
}

describe('the function and the platform agree', () => {
  it.each([
    ['on a list of actions without an object around it', new Dropped().actions, 'refused by both'],
    ['on a valid response', { actions: new Dropped().actions }, 'the same'],
    ['on an instance with a getter for actions, so that its JSON is {}', new Dropped(), 'refused by both'],
    [
      'on eleven unique actions',
      {
        actions: Array.from({ length: 11 }, (_, number) => ({
          action: { type: 'BOUNCE', parameters: { bounceMessage: `${number}` } },
          allRecipients: true,
        })),
      },
      'the same, with more than ten unique actions',
    ],
  ])('%s', async (_, answer, expected) => {
    expect(await compareSides(answer, mailEvent())).toBe(expected)
  })

  it('on any response', async () => {
    expect(await fuzz(500)).toContain('the same')
  })
})

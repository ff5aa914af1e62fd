import { expect, it } from '@jest/globals'
import { responseTimeLimit } from '@signalbox/mail-flow/contract'
import { awaitedTimeout } from './mail-part.ts'

it('a synchronous function has the default timeout that the mail contract sets: 15 seconds', () => {
  expect(awaitedTimeout * 1000).toBe(responseTimeLimit)
})

import { expect, it } from '@jest/globals'
import { responseTimeLimit } from '@signalbox/mail-flow/contract'
import { awaitedTimeout } from './mail-part.ts'

it('the default timeout of a synchronous function is 15 seconds, as in the mail contract', () => {
  expect(awaitedTimeout * 1000).toBe(responseTimeLimit)
})

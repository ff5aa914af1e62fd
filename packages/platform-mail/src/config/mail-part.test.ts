import { expect, it } from '@jest/globals'
import { responseTimeLimit } from '@signalbox/mail-flow/contract'
import { awaitedTimeout } from './mail-part.ts'

it('the default timeout of a synchronous function is the 15 seconds of the contract', () => {
  expect(awaitedTimeout * 1000).toBe(responseTimeLimit)
})

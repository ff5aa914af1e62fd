import { expect, it } from '@jest/globals'
import { responseTimeLimit } from '@signalbox/mail-flow/contract'
import { awaitedTimeout } from './mail-part.ts'

it('Function must respond within 15 seconds', () => {
  expect(awaitedTimeout * 1000).toBe(responseTimeLimit)
})

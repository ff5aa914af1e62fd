import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { checkTotp, totpAt } from './totp.ts'

it('codes of authenticators follow the clock that authenticators have, and not the one that a test moves', async () => {
  const now = 1_700_000_000_000
  const clocks = { clock: manualClock(now), machineClock: manualClock(now) }
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  await clocks.clock.advance(86_400_000)
  const user = { id: 'ann' }
  expect(checkTotp(clocks, user, secret, totpAt(secret, now))).toMatchObject({
    kind: 'spent',
    expires: now + 86_400_000 + 90_000,
  })
  expect(checkTotp(clocks, user, secret, totpAt(secret, clocks.clock.now()))).toBeUndefined()
})

import { expect, it } from '@jest/globals'
import { lmtpSoak } from './soak.ts'

it('each mail over LMTP has one decision and one effect, even if the platform is killed at random moments', async () => {
  const { violations, broken } = await lmtpSoak({ mails: 100, kills: 4 })
  expect(violations).toEqual([])
  expect(broken).toBeGreaterThan(0)
})

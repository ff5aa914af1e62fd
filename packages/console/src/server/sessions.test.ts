import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { sessions } from './sessions.ts'

const hour = 60 * 60 * 1000

it('a session ends twelve hours after its last request', async () => {
  const clock = manualClock(0)
  const open = sessions(clock)
  const secret = open.openWith(open.newToken())!
  for (let i = 0; i < 3; i++) {
    await clock.advance(12 * hour)
    expect(open.find(secret)).toMatchObject({ keyId: undefined })
  }
  await clock.advance(12 * hour + 1)
  expect(open.find(secret)).toBeUndefined()
})

it('a token opens one session, and only the newest twenty tokens are valid', () => {
  const open = sessions(manualClock(0))
  const tokens = Array.from({ length: 21 }, () => open.newToken())
  expect(new Set(tokens).size).toBe(21)
  expect(open.openWith(tokens[0]!)).toBeUndefined()
  const secret = open.openWith(tokens[1]!)!
  expect(open.openWith(tokens[1]!)).toBeUndefined()
  expect(open.find(secret)).toBeDefined()
  expect([open.find(tokens[1]!), open.find('')]).toEqual([undefined, undefined])
  open.end(secret)
  expect(open.find(secret)).toBeUndefined()
})

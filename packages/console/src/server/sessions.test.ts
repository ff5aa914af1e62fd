import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { memorySessionTable } from '@signalbox/platform-runtime/platform/testing/parts'
import { sessions } from './sessions.ts'

it('a token opens only one session, which can be found only by the session’s secret', async () => {
  const open = sessions(memorySessionTable(manualClock(0)))
  const token = await open.newToken()
  const secret = (await open.openWith(token))!
  expect(await open.openWith(token)).toBeUndefined()
  expect(await open.find(secret)).toEqual({ keyId: undefined })
  expect([await open.find(token), await open.find('')]).toEqual([undefined, undefined])
  await open.end(secret)
  expect(await open.find(secret)).toBeUndefined()
})

it('the session table contains no secrets', async () => {
  const seen: unknown[] = []
  const table = memorySessionTable(manualClock(0))
  const open = sessions({
    ...table,
    addLink: digest => {
      seen.push(digest)
      return table.addLink(digest)
    },
    begin: (digest, session) => {
      seen.push(digest, session)
      return table.begin(digest, session)
    },
  })
  const token = await open.newToken()
  const secrets = [token, await open.openWith(token), await open.openFor('KEY')]
  expect(new Set(secrets).size).toBe(3)
  for (const secret of secrets) expect(JSON.stringify(seen)).not.toContain(secret)
})

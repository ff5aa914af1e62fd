import { expect, it } from '@jest/globals'
import type { Clock } from '@signalbox/core'
import { type ManualClock, manualClock } from '@signalbox/core/testing'
import { accessStorage, type BucketTable } from '@signalbox/platform-runtime/access'
import { bucketSharing } from '@signalbox/platform-runtime/platform/testing/parts'
import { postgresEngine } from '../postgres-engine.ts'
import { testServer } from '../testing/server-suite.ts'

const database = testServer()
const hour = 60 * 60_000
const size = { amount: 30, window: hour }
/** Milliseconds after which one token returns. */
const each = hour / 30

/**
 * Opens the buckets of several platforms that share a database and a clock.
 * @param delay milliseconds until a platform shares the tokens that it has taken
 */
async function platforms(count: number, clock: Clock, delay = 0) {
  const options = database.options()
  const engines = await Promise.all(Array.from({ length: count }, () => postgresEngine(options, { clock })))
  const stores = await Promise.all(engines.map(engine => engine.opener(accessStorage)({ age: 1, clock })))
  let statements = 0
  let running: Promise<unknown> = Promise.resolve()
  const counted = ({ take }: BucketTable): BucketTable => ({
    take(taken) {
      statements++
      const answer = take(taken)
      running = Promise.allSettled([running, answer])
      return answer
    },
  })
  const sharings = stores.map(({ buckets }) => {
    const table = counted(buckets!)
    return bucketSharing(() => table, clock)
  })
  return {
    schema: options.schema,
    buckets: sharings.map(sharing => sharing.share('failures', size, delay)),
    statements: () => statements,
    /** Resolves when the server has answered all running statements and the platforms have read the answers. */
    async answered() {
      await running
      await new Promise(setImmediate)
    },
    async end() {
      for (const sharing of sharings) await sharing.close()
      for (const store of stores) await store.close()
      for (const engine of engines) await engine.close()
    },
  }
}

/**
 * Takes a token from a platform, and waits until the other platforms can know about it. Returns false if no token is
 * left.
 */
async function guess(
  { buckets, answered }: Awaited<ReturnType<typeof platforms>>,
  at: number,
  clock: ManualClock,
): Promise<boolean> {
  if (buckets[at]!.delay('client') > 0) return false
  buckets[at]!.take('client')
  await answered()
  await clock.advance(100)
  await answered()
  return true
}

it('a client that makes guesses on several platforms in turn gets about as many guesses as on a single platform', async () => {
  const clock = manualClock(1_700_000_000_000)
  const shared = await platforms(3, clock)
  let guesses = 0
  for (let round = 0; round < 40; round++)
    for (const at of [0, 1, 2]) if (await guess(shared, at, clock)) guesses++
  // Each platform can hand out the last token once.
  expect(guesses).toBeGreaterThanOrEqual(30)
  expect(guesses).toBeLessThanOrEqual(32)
  for (const buckets of shared.buckets) expect(buckets.delay('other client')).toBe(0)

  const hours = 8
  for (let step = 0; step < hours * 30; step++) {
    await clock.advance(each)
    for (const at of [0, 1, 2]) if (await guess(shared, at, clock)) guesses++
  }
  expect(guesses).toBeLessThanOrEqual(30 + hours * 30 + 4)
  await shared.end()
})

it('a client that makes guesses on several platforms at the same moment has to wait longer afterwards', async () => {
  const clock = manualClock(1_700_000_000_000)
  const shared = await platforms(3, clock)
  for (const buckets of shared.buckets) buckets.take('client', 30)
  await shared.answered()
  await clock.advance(29.9 * each)
  expect(shared.buckets.filter(buckets => buckets.delay('client') === 0).length).toBeLessThan(3)
  const delays = shared.buckets.map(buckets => buckets.delay('client'))
  expect(Math.max(...delays)).toBeGreaterThan(30 * each)
  await shared.end()
})

it('one statement counts all requests of a second, and reads the counts of the other platforms', async () => {
  const clock = manualClock(1_700_000_000_000)
  const shared = await platforms(2, clock, 1000)
  const [one, other] = shared.buckets
  for (let request = 0; request < 20; request++) one!.take('shop')
  await clock.advance(1000)
  await shared.answered()
  for (let request = 0; request < 9; request++) other!.take('shop')
  await clock.advance(1000)
  await shared.answered()
  expect(shared.statements()).toBe(2)
  expect(other!.delay('shop')).toBe(0)
  other!.take('shop')
  expect(other!.delay('shop')).toBeGreaterThan(0)
  await shared.end()
})

it('each platform counts on its own while the server is down, and shares its counts when the server is back', async () => {
  const clock = manualClock(1_700_000_000_000)
  const shared = await platforms(2, clock)
  const [one, other] = shared.buckets
  await database.server.kill()
  for (let failure = 0; failure < 30; failure++) {
    expect(one!.delay('client')).toBe(0)
    one!.take('client')
  }
  expect([one!.delay('client') > 0, other!.delay('client')]).toEqual([true, 0])
  await shared.answered()
  await database.server.start()
  const owed = async () => {
    const rows = await database.query(`select amount - tokens as owed from ${shared.schema}.token_buckets`)
    return Number(rows[0]?.owed ?? 0)
  }
  while ((await owed()) < 29) {
    await clock.advance(1000)
    await shared.answered()
  }
  other!.take('client')
  await shared.answered()
  expect(other!.delay('client')).toBeGreaterThan(0)
  await shared.end()
})

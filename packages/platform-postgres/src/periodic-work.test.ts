import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { openDatabase } from './database.ts'
import { layOut } from './layout/lay-out.ts'
import { periodicWork } from './periodic-work.ts'
import { testServer } from './testing/server-suite.ts'

const test = testServer()

const interval = 100

it('periodic work runs on only one of several platforms in each interval, even when one platform hangs', async () => {
  const chosen = test.options({ connections: 8 })
  const database = openDatabase(chosen)
  await layOut(database, chosen.schema)
  const timeOf = async () => (await database.query<{ time: number }>('select time_of(null) as time'))[0]!.time
  const started = await timeOf()
  const runs: number[] = []
  const platforms = Array.from({ length: 6 }, (_, number) => {
    const { onePlatform } = periodicWork(database)
    return onePlatform('work', interval, async () => {
      runs.push(number)
      // In later intervals, other platforms must do the work of a platform whose work never ends.
      if (number === runs[0]) await new Promise(() => {})
    })
  })
  while (runs.length < 12) await delay(10)
  const elapsed = (await timeOf()) - started
  // Two runs have at least half an interval between them. Otherwise, six platforms would run six times in each
  // interval.
  expect(runs.length).toBeLessThanOrEqual(elapsed / (interval / 2) + 1)
  expect(runs.filter(number => number === runs[0])).toHaveLength(1)
  const [paused, ...others] = [runs[0]!, ...platforms.keys()]
  await Promise.all(others.filter(number => number !== paused).map(number => platforms[number]!()))
  void platforms[paused]!()
  await database.close()
})

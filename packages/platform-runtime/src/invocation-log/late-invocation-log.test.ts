import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { lateInvocationLog } from './late-invocation-log.ts'
import { localInvocationLog } from './sqlite/local-invocation-log.ts'
import { loggedEntry, logOptions } from './testing/logged-entry.ts'

it('lateInvocationLog() opens a log once, and keeps entries and watchers that were added before it was open', async () => {
  let opens = 0
  const log = lateInvocationLog(async options => {
    opens++
    return localInvocationLog(new DatabaseSync(':memory:'), options)
  }, logOptions())
  const seen: number[] = []
  const stop = log.watch(({ id }) => seen.push(id))
  log.watch(() => seen.push(0))()
  log.append(loggedEntry)
  log.append(loggedEntry)
  expect((await log.list()).map(({ id }) => id)).toEqual([1, 2])
  log.append(loggedEntry)
  await log.flush()
  stop()
  log.append(loggedEntry)
  expect(await log.get(4)).toBeDefined()
  expect([opens, seen]).toEqual([1, [1, 2, 3]])
  await log.close()
  await expect(log.list()).rejects.toThrow('The invocation log is closed')
})

it('lateInvocationLog() reports lost entries when the log cannot be opened, and tries again', async () => {
  const notices: string[] = []
  let away = true
  const log = lateInvocationLog(
    async options => {
      if (away) throw new Error('The database is away.')
      return localInvocationLog(new DatabaseSync(':memory:'), options)
    },
    logOptions({ notice: text => notices.push(text) }),
  )
  log.append(loggedEntry)
  await expect(log.flush()).rejects.toThrow('The database is away.')
  away = false
  log.append(loggedEntry)
  expect(await log.list()).toHaveLength(1)
  expect(notices).toEqual(['The invocation log cannot be written, and misses entries: The database is away.'])
  await log.close()
})

it('lateInvocationLog() does not open a log that is closed before its first use', async () => {
  const log = lateInvocationLog(() => Promise.reject(new Error('opened')), logOptions())
  await log.close()
  log.append(loggedEntry)
})

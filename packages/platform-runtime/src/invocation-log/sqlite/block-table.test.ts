import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { loggedEntry, logOptions } from '../testing/invocation-log-suite.ts'
import { logsText, sizeOf } from './block.ts'
import { localInvocationLog } from './local-invocation-log.ts'

it('a damaged block of the invocation log is skipped, is reported once, and is deleted like any other block', async () => {
  const database = new DatabaseSync(':memory:')
  const notices: string[] = []
  const log = localInvocationLog(database, logOptions({ size: 5000, notice: text => notices.push(text) }))
  const append = async (functionName: string) => {
    for (const _ of [1, 2]) log.append({ ...loggedEntry, functionName })
    await log.flush()
  }
  for (const name of ['a', 'b', 'a']) await append(name)
  database.exec(`update blocks set packed = x'0011' where last = 4`)
  expect((await log.list()).map(({ id }) => id)).toEqual([1, 2, 5, 6])
  expect(await log.list({ functionName: 'b' })).toEqual([])
  expect([await log.get(3), (await log.get(5))?.id]).toEqual([undefined, 5])
  expect(notices).toEqual(['The invocation log is damaged, and misses entries up to #4.'])
  database.exec(`update blocks set packed = x'0011' where last = 6`)
  for (let i = 0; i < 50; i++) await append('c')
  const entries = await log.list()
  expect(entries.length).toBeGreaterThan(10)
  expect(entries.length).toBeLessThan(25)
  expect(entries.at(-1)!.id).toBe(106)
  expect(notices.filter(text => /written/.test(text))).toEqual([])
})

it('the invocation log deletes only whole blocks when that is enough to meet its size limit', async () => {
  const one = sizeOf(loggedEntry.event, loggedEntry.payload, logsText(loggedEntry.logs))
  const log = localInvocationLog(new DatabaseSync(':memory:'), logOptions({ size: 22 * one }))
  for (let block = 0; block < 5; block++) {
    for (let entry = 0; entry < 5; entry++) log.append(loggedEntry)
    await log.flush()
  }
  expect((await log.list()).map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => i + 6))
})

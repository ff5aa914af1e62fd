import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { corpus, ordinary, secret } from '@signalbox/telemetry/testing/secret-corpus'
import type { NewInvocationLogEntry } from './entry.ts'
import { localInvocationLog } from './sqlite/local-invocation-log.ts'
import { logOptions } from './testing/invocation-log-suite.ts'
import { storedText } from './testing/stored-text.ts'

const entry: NewInvocationLogEntry = {
  ...{ requestId: 'r', functionName: 'shop', source: 'invoke', family: undefined, attempt: 1, generation: 1 },
  ...{ started: 0, duration: 1, event: '{}', payload: '', failure: undefined, verdict: undefined, logs: [] },
}

/** Returns the stored bytes of an entry in the invocation log, with all Base64 decoded, nested Base64 included. */
async function stored(each: Partial<NewInvocationLogEntry>): Promise<string> {
  const database = new DatabaseSync(':memory:')
  const log = localInvocationLog(database, logOptions())
  log.append({ ...entry, ...each })
  await log.flush()
  const text = storedText(database)
  await log.close()
  return opened(opened(text))
}

function opened(text: string): string {
  return text.replaceAll(/[\w+/-]{16,}={0,2}/g, part => `${part} ${Buffer.from(part, 'base64')}`)
}

const places: readonly (readonly [name: string, of: (text: string) => Partial<NewInvocationLogEntry>])[] = [
  ['the body of an event', text => ({ event: JSON.stringify({ path: '/', body: text }) })],
  ['a payload', text => ({ payload: text })],
  ['the body of a payload', text => ({ payload: JSON.stringify({ statusCode: 200, body: text }) })],
  ['a log line', text => ({ logs: [{ stream: 'out', text }] })],
  ['the message of a failure', text => ({ failure: { kind: 'threw', message: text } })],
]

it('the secret corpus has at least 164 strings, each of which contains the secret', () => {
  expect(new Set(corpus).size).toBeGreaterThanOrEqual(164)
  for (const text of corpus) expect(opened(opened(text))).toContain(secret)
})

it.each(places)('the invocation log masks the secret of each corpus string in %s', async (_, of) => {
  const leaked: string[] = []
  for (const text of corpus) if ((await stored(of(text))).includes(secret)) leaked.push(text)
  expect(leaked).toEqual([])
})

it.each(places)('the invocation log keeps ordinary text unchanged in %s', async (_, of) => {
  const log = localInvocationLog(new DatabaseSync(':memory:'), logOptions())
  for (const text of ordinary) log.append({ ...entry, ...of(text) })
  const changed = (await log.list({ last: ordinary.length })).flatMap(({ masked }, position) =>
    masked ? [ordinary[position]] : [],
  )
  expect(changed).toEqual([])
  await log.close()
})

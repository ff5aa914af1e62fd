import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { corpus, ordinary, secret } from '../testing/secret-corpus.ts'
import { unpack } from './block.ts'
import type { NewInvocationLogEntry } from './entry.ts'
import { openJournal } from './journal.ts'

const entry: NewInvocationLogEntry = {
  ...{ requestId: 'r', functionName: 'shop', source: 'invoke', family: undefined, attempt: 1, generation: 1 },
  ...{ started: 0, duration: 1, event: '{}', payload: '', failure: undefined, verdict: undefined, logs: [] },
}

/** The bytes of an entry in the invocation log, and what is Base64 in them, and in that. */
function stored(each: Partial<NewInvocationLogEntry>): string {
  const database = new DatabaseSync(':memory:')
  const journal = openJournal(database, { size: 1e6, age: 1e9 }, manualClock())
  journal.record({ ...entry, ...each })
  journal.flush()
  const { packed } = database.prepare('select packed from blocks').get() as { packed: Uint8Array }
  const text = unpack(packed)
  journal.close()
  return opened(opened(text))
}

function opened(text: string): string {
  return text.replaceAll(/[\w+/-]{16,}={0,2}/g, part => `${part} ${Buffer.from(part, 'base64')}`)
}

const places: readonly (readonly [name: string, of: (text: string) => Partial<NewInvocationLogEntry>])[] = [
  ['the body of an event', text => ({ event: JSON.stringify({ path: '/', body: text }) })],
  ['a payload', text => ({ payload: text })],
  ['the body of a payload', text => ({ payload: JSON.stringify({ statusCode: 200, body: text }) })],
  ['a log', text => ({ logs: [{ stream: 'out', text }] })],
  ['the message of a failure', text => ({ failure: { kind: 'threw', message: text } })],
]

it('has at least 164 cases, each with the secret in it', () => {
  expect(new Set(corpus).size).toBeGreaterThanOrEqual(164)
  for (const text of corpus) expect(opened(opened(text))).toContain(secret)
})

it.each(places)(
  'no secret of the corpus is in the bytes of the invocation log when it stands in %s',
  (_, of) => {
    expect(corpus.filter(text => stored(of(text)).includes(secret))).toEqual([])
  },
)

it.each(places)('ordinary text stays as it is in %s', (_, of) => {
  const journal = openJournal(new DatabaseSync(':memory:'), { size: 1e6, age: 1e9 }, manualClock())
  for (const text of ordinary) journal.record({ ...entry, ...of(text) })
  const changed = journal.list().flatMap(({ masked }, position) => (masked ? [ordinary[position]] : []))
  expect(changed).toEqual([])
  journal.close()
})

import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { eventStorage } from '@signalbox/platform-invoke/store'
import { mailStorage } from '@signalbox/platform-mail/store'
import { openDatabase } from '../database.ts'
import { postgresEngine } from '../postgres-engine.ts'
import { testServer } from '../testing/server-suite.ts'
import { eventLayout } from './event-layout.ts'
import { layOut, steps } from './lay-out.ts'
import { eventWorkLayout } from './work-layout.ts'

const { options } = testServer()

it('events, invocations and deliveries of an earlier layout become work, which goes on where it was', async () => {
  const chosen = options()
  const database = openDatabase(chosen)
  const { query } = database
  const earlier = steps.slice(0, steps.indexOf(eventWorkLayout))
  expect(earlier).toContain(eventLayout)
  await layOut(database, chosen.schema, undefined, earlier)
  await query(`insert into events (id, function, payload, client_context, accepted_at, due_at, attempts, refusals, failure, is_taken)
    values ('e-1', 'work', '{"a":"\\u0000"}', null, 10, 10, 0, 0, null, false),
      ('e-2', 'work', '2', '{}', 20, 9000, 1, 2, '{"condition":"RetriesExhausted","payload":"x"}', true)`)
  await query(`insert into mails (id, received_at, sender, author, subject, spam, report, size, raw)
    values ('m-1', 10, '', '', '', false, false, 2, 'Hi')`)
  await query(`insert into recipients (mail, address, direction, state, destination, why, invocation)
    values ('m-1', 'ann@office.example', 'INBOUND', 'undecided', null, '', 'i-1'),
      ('m-1', 'bob@office.example', 'INBOUND', 'delivering', 'inbox', '', null)`)
  await query(`insert into invocations (id, mail, direction, function, mode, timeout, fallback, attempts, first_failed_at, why, next_at)
    values ('i-1', 'm-1', 'INBOUND', 'sort', 'sync', 5, 'DROP', 1, 30, 'broken', 40),
      ('i-0', 'm-1', 'INBOUND', 'sort', 'sync', 5, 'DROP', 1, null, '', null)`)
  await query(`insert into deliveries (mail, carrier, since, attempts, next_at, attempted)
    values ('m-1', 'mailbox', 10, 0, 10, true)`)
  await database.close()

  const engine = await postgresEngine(chosen, { clock: manualClock(50) })
  const events = await engine.opener(eventStorage)()
  const { work } = await events.claim('work', 50, 9)
  expect(work.map(({ key, putAt, data }) => [key, putAt, JSON.parse(data)])).toEqual([
    ['e-1', 10, { payload: '{"a":"\\u0000"}', clientContext: null, attempts: 0, refusals: 0, failure: null }],
    [
      ...['e-2', 20],
      {
        ...{ payload: '2', clientContext: '{}', attempts: 1, refusals: 2 },
        failure: { condition: 'RetriesExhausted', payload: 'x' },
      },
    ],
  ])
  const { store } = await engine.opener(mailStorage)()
  expect(await store.states()).toMatchObject([
    {
      recipients: [
        { state: 'undecided', why: 'broken', attempts: 1, nextAt: 40 },
        { state: 'delivering', nextAt: 10 },
      ],
    },
  ])
  expect((await store.claimInvocations('sort', 50, 9)).work).toMatchObject([
    {
      ...{ id: 'i-1', mail: 'm-1', attempts: 1, firstFailedAt: 30, why: 'broken', next: 'attempt' },
      rule: { direction: 'INBOUND', functionName: 'sort', mode: 'sync', timeout: 5, fallback: 'DROP' },
      recipients: [{ address: 'ann@office.example' }],
    },
  ])
  expect((await store.claimDeliveries('mailbox', 50, 9)).work).toMatchObject([
    { mail: 'm-1', since: 10, attempts: 0, repeated: true, recipients: [{ address: 'bob@office.example' }] },
  ])
  await engine.close()
})

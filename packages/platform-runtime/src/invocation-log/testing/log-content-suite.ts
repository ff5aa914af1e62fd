import { expect, it } from '@jest/globals'
import type { InvocationLogEntry } from '../entry.ts'
import { isEventOmitted, loggedPayloadLimit } from '../trimmed-entry.ts'
import { loggedEntry } from './logged-entry.ts'
import type { OpenLog } from './opened-log.ts'

/** Declares the tests of what an invocation log masks or truncates in an entry. */
export function logContentSuite(openLog: OpenLog): void {
  it('masks the secrets of an event, even where other fields repeat them', async () => {
    const secret = 'hunter2-hunter2'
    const written: InvocationLogEntry[] = []
    const log = await openLog({ onWritten: entry => written.push(entry) })
    log.append({
      ...loggedEntry,
      event: JSON.stringify({ request: { password: secret } }),
      payload: JSON.stringify({ request: { password: secret }, note: `${secret}!` }),
      failure: { kind: 'threw', message: `Error: wrong ${secret}` },
      verdict: { kind: 'denied', ok: true, text: `wrong ${secret}` },
      logs: [{ stream: 'out', text: `got ${secret}` }],
    })
    const [entry] = await log.list()
    expect(JSON.stringify([entry, written])).not.toContain(secret)
    expect(entry).toMatchObject({
      masked: true,
      logs: [{ text: 'got ***' }],
      verdict: { text: 'wrong ***' },
    })
  })

  it('masks secrets in the logs and in the failure', async () => {
    const log = await openLog()
    const text = 'login with {"user":"ada","password":"hunter2"} failed'
    log.append({
      ...loggedEntry,
      failure: { kind: 'threw', message: 'Error: https://a.example/?token=hunter3 is gone' },
      logs: [
        { stream: 'out', text },
        { stream: 'err', text: 'hunter3' },
      ],
    })
    expect(await log.list()).toMatchObject([
      {
        masked: true,
        event: loggedEntry.event,
        failure: { message: 'Error: https://a.example/?token=*** is gone' },
        logs: [{ text: text.replace('hunter2', '***') }, { text: '***' }],
      },
    ])
  })

  it('truncates a payload that is too long, and states its original length', async () => {
    const log = await openLog()
    log.append({ ...loggedEntry, payload: JSON.stringify('x'.repeat(loggedPayloadLimit)) })
    expect(await log.list()).toMatchObject([
      {
        payload: `"${'x'.repeat(loggedPayloadLimit - 1)}… (the first of ${loggedPayloadLimit + 2} characters)`,
      },
    ])
  })

  it('logs every invocation in short form when more invocations arrive than it can write', async () => {
    const log = await openLog({ size: 1e9 })
    const event = JSON.stringify({ body: 'x'.repeat(1_000_000) })
    for (let i = 0; i < 50; i++)
      log.append({ ...loggedEntry, event, payload: event, logs: [{ stream: 'out', text: event }] })
    const entries = await log.list()
    expect(entries).toHaveLength(50)
    expect(entries[0]!.event).toBe(event)
    for (const entry of entries) expect(entry.event === event || isEventOmitted(entry.event)).toBe(true)
  })
}

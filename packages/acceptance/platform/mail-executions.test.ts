import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { LambdaClient } from '@aws-sdk/client-lambda'
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import { expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { callback, durable } from '@signalbox/core/durable'
import { mailFlow } from '@signalbox/mail-flow'
import { createTransport } from 'nodemailer'
import { executionSources } from './testing/execution-sources.ts'

const mail = {
  port: 0,
  domains: { 'office.example': { to: 'mailboxes' } },
  rules: [{ direction: 'INBOUND', function: 'order', mode: 'async', onFailure: 'failed' }],
} as const

it('a mail is delivered at once, and its execution goes on', async () => {
  const asked: string[] = []
  const subjects: string[] = []
  await using under = await executionSources(
    (client: LambdaClient) =>
      durable(
        signalbox(
          mailFlow(async ({ subject }, actions) => {
            const answer = await callback('reply', callbackId => void asked.push(callbackId))
            subjects.push(`${subject}: ${answer}`)
            return actions.default()
          }),
        ),
        { client },
      ),
    { mail, queues: { failed: {} }, queueListener: { port: 0 }, control: { port: 0 } },
  )
  const { hostname, port } = new URL(under.urlOf('mail')!)
  const transport = createTransport({ host: hostname, port: Number(port), secure: false, ignoreTLS: true })
  await transport.sendMail({
    ...{ from: 'ann@far.example', to: 'bob@office.example' },
    ...{ subject: 'Order 17', text: 'Hello' },
  })
  transport.close()
  await under.until(() => under.rest(1))
  await under.until(async () => (await under.platform.mail.inbox('bob@office.example')).length === 1)
  await under.clock.advance(3 * 24 * 3_600_000)
  expect(await under.executions()).toMatchObject([{ status: 'RUNNING' }])
  await under.answer(asked[0]!, 'done')
  await under.until(async () => (await under.executions())[0]?.status === 'SUCCEEDED')
  expect(subjects).toEqual(['Order 17: done'])
})

it('a mail whose execution cannot be started starts it later', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mail-executions-'))
  await using under = await executionSources(() => async () => ({ Status: 'SUCCEEDED' }), {
    ...{ mail, queues: { failed: {} }, queueListener: { port: 0 }, control: { port: 0 }, dataDir },
  })
  const database = new DatabaseSync(join(dataDir, 'executions.sqlite'))
  database.exec(`create trigger refuse before insert on executions begin select raise(abort, 'no room'); end`)
  const { hostname, port } = new URL(under.urlOf('mail')!)
  const transport = createTransport({ host: hostname, port: Number(port), secure: false, ignoreTLS: true })
  await transport.sendMail({ from: 'ann@far.example', to: 'bob@office.example', text: 'Hello' })
  transport.close()
  await under.until(async () => (await under.platform.invocationLog.list()).length === 1)
  expect(await under.executions()).toEqual([])
  database.exec('drop trigger refuse')
  database.close()
  await under.clock.advance(1000)
  await under.until(async () => (await under.executions())[0]?.status === 'SUCCEEDED')
  expect(await under.executions()).toHaveLength(1)
  await under.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

it('a failure goes to the queue of the rule', async () => {
  await using under = await executionSources(
    () => async () => ({ Status: 'FAILED', Error: { ErrorMessage: 'no' } }),
    { mail, queues: { failed: {} }, queueListener: { port: 0 }, control: { port: 0 } },
  )
  const { hostname, port } = new URL(under.urlOf('mail')!)
  const transport = createTransport({ host: hostname, port: Number(port), secure: false, ignoreTLS: true })
  await transport.sendMail({ from: 'ann@far.example', to: 'bob@office.example', text: 'Hello' })
  transport.close()
  let bodies: (string | undefined)[] = []
  await under.until(async () => {
    const { Messages = [] } = await under.sqs.send(
      new ReceiveMessageCommand({ QueueUrl: under.QueueUrl('failed') }),
    )
    bodies = Messages.map(({ Body }) => Body)
    return bodies.length > 0
  })
  expect(JSON.parse(bodies[0]!)).toMatchObject({
    requestPayload: { flowDirection: 'INBOUND' },
    responsePayload: { errorMessage: 'no' },
  })
})

// A platform that receives a queue message, and claims an event, and an invocation and deliveries of mails, and
// reports them. When its parent process tells it to continue, it tries to finish everything with the old receipt
// handle, and the old claims.
import { systemClock } from '@signalbox/core'
import { eventStorage } from '@signalbox/platform-invoke/store'
import { mailStorage } from '@signalbox/platform-mail/store'
import { queueStorage } from '@signalbox/platform-queue/store'
import { systemRandom } from '@signalbox/platform-runtime'
import { postgresEngine } from '../postgres-engine.ts'

const [url, schema, lease] = process.argv.slice(2) as [string, string, string]
const engine = await postgresEngine({ url, schema, connections: 4 }, { clock: undefined })
const context = { clock: systemClock, random: systemRandom, notice: () => {} }
const queues = await engine.opener(queueStorage)(context)
const events = await engine.opener(eventStorage)()
const { store: mails } = await engine.opener(mailStorage)()
const [message] = await queues.receive('orders.fifo', { max: 1, wait: 0, visibilityTimeout: Number(lease) })
const [event] = (await events.claim('work', Date.now(), 1)).work
const { work: invocations } = await mails.claimInvocations('sort', Date.now(), 10)
const { work: deliveries } = await mails.claimDeliveries('mailbox', Date.now(), 10)
process.send!([message!.body, event!.data, invocations.length, deliveries.map(({ mail }) => mail)])

process.once('message', async () => {
  const { receiptHandle } = message!
  const codeOf = (answer: unknown) => (answer as { readonly code?: string } | undefined)?.code
  const dispositions = (state: 'dropped' | 'failed', { recipients }: (typeof deliveries)[number]) =>
    recipients.map(({ id }) => ({ recipient: id, state, why: 'late' }))
  const [invocation] = invocations
  const [delivery, returned] = deliveries
  const now = Date.now()
  await mails.concludeInvocation(
    invocation!,
    {
      dispositions: [{ recipient: invocation!.recipients[0]!.id, state: 'dropped', why: 'late' }],
      added: [],
      report: undefined,
    },
    now,
  )
  await mails.concludeDelivery(
    delivery!,
    9,
    { dispositions: dispositions('failed', delivery!), report: undefined },
    now,
    now,
  )
  await mails.giveBack(returned!.work, now, now)
  process.send!([
    codeOf((await queues.changeVisibility('orders.fifo', [{ receiptHandle, timeout: 0 }]))[0]),
    codeOf((await queues.deleteMessages('orders.fifo', [receiptHandle]))[0]),
    await events.retry(event!, 'late', now, now),
    await events.finish(event!, now),
  ])
  process.disconnect()
  await queues.close()
  await events.close()
  await mails.close()
  await engine.close()
})

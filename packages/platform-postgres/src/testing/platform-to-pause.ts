// A platform that receives a queue message, leases an event, and reports both. When its parent process tells it to go
// on, it tries to release and delete them with the old receipt handle and the old lease.
import { systemClock } from '@signalbox/core'
import { eventStorage } from '@signalbox/platform-invoke/store'
import { queueStorage } from '@signalbox/platform-queue/store'
import { systemRandom } from '@signalbox/platform-runtime'
import { postgresEngine } from '../postgres-engine.ts'

const [url, schema, lease] = process.argv.slice(2) as [string, string, string]
const engine = await postgresEngine({ url, schema, connections: 4 }, { clock: undefined })
const context = { clock: systemClock, random: systemRandom, notice: () => {} }
const queues = await engine.opener(queueStorage)(context)
const events = await engine.opener(eventStorage)(context)
const [message] = await queues.receive('orders.fifo', { max: 1, wait: 0, visibilityTimeout: Number(lease) })
const [event] = await events.take('work', { max: 1, lease: Number(lease) })
process.send!([message!.body, event!.payload])

process.once('message', async () => {
  const { receiptHandle } = message!
  const codeOf = (answer: unknown) => (answer as { readonly code?: string } | undefined)?.code
  const late = { attempts: 9, refusals: 0, failure: undefined, delay: 0 }
  process.send!([
    codeOf((await queues.changeVisibility('orders.fifo', [{ receiptHandle, timeout: 0 }]))[0]),
    codeOf((await queues.deleteMessages('orders.fifo', [receiptHandle]))[0]),
    await events.giveBack(event!, late),
    await events.remove(event!),
  ])
  process.disconnect()
  await queues.close()
  await events.close()
  await engine.close()
})

import { setTimeout as delay } from 'node:timers/promises'
import {
  configOption,
  defineCommand,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { callOperation } from '../api/call-operation.ts'
import { queueUrl } from '../api/queue-url.ts'
import { sqsResourceName } from '../resource-name.ts'
import type { Depth } from '../store/queue-store.ts'
import { withQueues } from './with-queues.ts'

/** Moves dead letters back to their source queues. */
export const redrive = defineCommand({
  name: 'redrive',
  summary: 'Move the messages of a dead-letter queue back to their source queues',
  usage: 'QUEUE [--config FILE]',
  details: `QUEUE is the dead-letter queue. Messages keep their ids and count as newly sent and never received. Messages in
flight stay, and in a FIFO queue also the rest of their groups.`,
  examples: [['signalbox redrive orders-dead', 'moves all dead letters of orders back']],
  options: { config: configOption },
  async run({ config }, operands, terminal) {
    const [queue] = operands
    if (queue === undefined) throw new UsageError('redrive needs a queue.')
    refuseOperands('redrive', operands, 1)
    const show = (moved: number) => terminal.progress?.(`${messages(moved)} moved back so far …`)
    const { moved, left } = await withQueues(config, terminal, queue, async ({ store, url }) => {
      if (store === undefined) return await redriveOverHttp(url!, queue, show)
      await store.startMove(queue)
      const moved = await waitUntilCompleted(async () => (await store.moves(queue))[0]!, show)
      return { moved, left: await store.depth(queue) }
    })
    terminal.progress?.('')
    terminal.print(`${messages(moved)} moved back from ${queue}.${describeLeft(left)}`)
    return 0
  },
})

/** Milliseconds between two requests for the progress. */
const pollInterval = 50

/** The result of a redrive. */
interface Redrive {
  readonly moved: number
  readonly left: Depth
}

async function redriveOverHttp(url: string, queue: string, show: (moved: number) => void): Promise<Redrive> {
  const SourceArn = sqsResourceName(queue)
  await callOperation(url, 'StartMessageMoveTask', { SourceArn })
  const moved = await waitUntilCompleted(async () => {
    const { Results } = await callOperation(url, 'ListMessageMoveTasks', { SourceArn })
    const [last] = Results as readonly { Status: string; ApproximateNumberOfMessagesMoved: number }[]
    return { status: last!.Status, moved: last!.ApproximateNumberOfMessagesMoved }
  }, show)
  const { Attributes } = await callOperation(url, 'GetQueueAttributes', {
    QueueUrl: queueUrl(url, queue),
    AttributeNames: ['All'],
  })
  const numbers = Attributes as { readonly [name: string]: string }
  const left = {
    visible: Number(numbers.ApproximateNumberOfMessages),
    inFlight: Number(numbers.ApproximateNumberOfMessagesNotVisible),
    delayed: Number(numbers.ApproximateNumberOfMessagesDelayed),
  }
  return { moved, left }
}

/** Waits until a task ends, and returns how many messages it moved. */
async function waitUntilCompleted(
  look: () => Promise<{ readonly status: string; readonly moved: number }>,
  show: (moved: number) => void,
): Promise<number> {
  for (;;) {
    const { status, moved } = await look()
    show(moved)
    if (status === 'COMPLETED') return moved
    if (status !== 'RUNNING') throw new Error(`The redrive ended after ${moved} messages: ${status}.`)
    await delay(pollInterval)
  }
}

function messages(count: number): string {
  return `${count} ${count === 1 ? 'message' : 'messages'}`
}

/** Says which messages stay in the dead-letter queue and why. */
function describeLeft({ visible, inFlight, delayed }: Depth): string {
  const others = visible + delayed
  const parts = [
    ...(inFlight > 0 ? [`${messages(inFlight)} in flight`] : []),
    ...(others > 0
      ? [`${messages(others)} that cannot move: newer, behind one in flight, or sent there directly`]
      : []),
  ]
  return parts.length === 0 ? '' : ` It keeps ${parts.join(' and ')}.`
}

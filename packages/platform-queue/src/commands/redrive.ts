import { setTimeout as delay } from 'node:timers/promises'
import {
  configOption,
  defineCommand,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { callOperation } from '../api/call-operation.ts'
import { sqsResourceName } from '../resource-name.ts'
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
    const moved = await withQueues(config, terminal, queue, async ({ store, url }) => {
      if (store === undefined) return await redriveOverHttp(url!, queue)
      await store.startMove(queue)
      return await waitUntilCompleted(async () => (await store.moves(queue))[0]!)
    })
    terminal.print(`${moved} ${moved === 1 ? 'message' : 'messages'} sent back from ${queue}.`)
    return 0
  },
})

/** Milliseconds between two requests for the progress. */
const pollInterval = 50

async function redriveOverHttp(url: string, queue: string): Promise<number> {
  const SourceArn = sqsResourceName(queue)
  await callOperation(url, 'StartMessageMoveTask', { SourceArn })
  return waitUntilCompleted(async () => {
    const { Results } = await callOperation(url, 'ListMessageMoveTasks', { SourceArn })
    const [last] = Results as readonly { Status: string; ApproximateNumberOfMessagesMoved: number }[]
    return { status: last!.Status, moved: last!.ApproximateNumberOfMessagesMoved }
  })
}

/** Waits until a task ends, and returns how many messages it moved. */
async function waitUntilCompleted(
  look: () => Promise<{ readonly status: string; readonly moved: number }>,
): Promise<number> {
  for (;;) {
    const { status, moved } = await look()
    if (status === 'COMPLETED') return moved
    if (status !== 'RUNNING') throw new Error(`The redrive ended after ${moved} messages: ${status}.`)
    await delay(pollInterval)
  }
}

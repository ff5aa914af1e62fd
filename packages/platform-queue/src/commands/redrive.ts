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

/** Sends dead letters back. */
export const redrive = defineCommand({
  name: 'redrive',
  summary: 'Send what a dead-letter queue holds back to where it came from',
  usage: 'QUEUE [--config FILE]',
  details: `QUEUE is the dead-letter queue. Messages keep their ids, and count as sent just now and never received. Those
that somebody is working on stay, and in a FIFO queue the rest of their group.`,
  examples: [['signalbox redrive orders-dead', 'tries all of them again']],
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

/** Milliseconds between two looks at how far the box is. */
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

/** How many messages a task has moved when it is done. */
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

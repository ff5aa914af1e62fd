import { setTimeout as delay } from 'node:timers/promises'
import {
  configOption,
  defineCommand,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { type CallOptions, callOperation } from '../api/call-operation.ts'
import type { Input, Operation } from '../api/operations/inputs.ts'
import { queueUrl } from '../api/queue-url.ts'
import { sqsResourceName } from '../resource-name.ts'
import type { OwnQueueStore } from '../store/own-queue-store.ts'
import type { Depth } from '../store/queue-store.ts'
import { withQueues } from './with-queues.ts'

/** The command `redrive`, which moves dead letters back to their source queues. */
export const redrive = defineCommand({
  name: 'redrive',
  summary: 'Move the messages of a dead-letter queue back to their source queues',
  usage: 'QUEUE [--per-second N] [--config FILE]',
  details: `QUEUE is the dead-letter queue. Messages keep their ids and count as newly sent and never received. Messages in
flight stay, and in a FIFO queue also the rest of their groups. Ctrl-C stops it: what was moved stays moved.`,
  examples: [
    ['signalbox redrive orders-dead', 'moves all dead letters of orders back'],
    ['signalbox redrive orders-dead --per-second 10', 'the same, slowly'],
  ],
  options: {
    'per-second': {
      type: 'string',
      value: 'N',
      help: 'the maximum number of messages per second, 1 to 500 (default: no limit)',
    },
    config: configOption,
  },
  async run({ config, 'per-second': limit }, operands, terminal) {
    const [queue] = operands
    if (queue === undefined) throw new UsageError('redrive needs a queue.')
    refuseOperands('redrive', operands, 1)
    if (limit !== undefined && !/^(?:[1-9]\d?|[1-4]\d\d|500)$/.test(limit))
      throw new UsageError(`--per-second ${limit}: expected a whole number from 1 to 500.`)
    const perSecond = limit === undefined ? undefined : Number(limit)
    const show = (moved: number) => terminal.progress?.(`${messages(moved)} moved back so far …`)
    const { moved, left, isStopped } = await withQueues(
      config,
      terminal,
      queue,
      async ({ store, url, options }) => {
        const starting =
          store === undefined
            ? startOverHttp(url!, queue, perSecond, options)
            : startInStore(store, queue, perSecond)
        const task = await starting.catch(error => {
          throw isOtherQueue(error) ? new UsageError(notDeadLetters(queue)) : error
        })
        return { ...(await untilItEnds(task, show, terminal.stop)), left: await task.left() }
      },
    )
    terminal.progress?.('')
    const result = `${messages(moved)} moved back from ${queue}.`
    terminal.print(isStopped ? `Stopped: ${result} The others stay there.` : result + describeLeft(left))
    return isStopped ? 130 : 0
  },
})

/** Returns whether an error means that the queue is not a dead-letter queue. */
function isOtherQueue(error: unknown): boolean {
  return error instanceof Error && error.message.includes('must be configured as a Dead Letter Queue')
}

function notDeadLetters(queue: string): string {
  return `${queue} is not the dead-letter queue of another queue. redrive takes the name of the dead-letter queue.`
}

/** Milliseconds between two checks of the progress. */
const pollInterval = 50

/** A running task that moves messages. */
interface MoveTask {
  readonly look: () => Promise<{ readonly status: string; readonly moved: number }>
  /** Cancels the task. Rejects if the task has ended. */
  readonly cancel: () => Promise<unknown>
  /** Returns how many messages are left in the dead-letter queue. */
  readonly left: () => Promise<Depth>
}

async function startInStore(
  store: OwnQueueStore,
  queue: string,
  perSecond: number | undefined,
): Promise<MoveTask> {
  const task = await store.startMove(queue, { perSecond })
  return {
    look: async () => (await store.moves(queue))[0]!,
    cancel: () => store.cancelMove(queue, task),
    left: () => store.depth(queue),
  }
}

async function startOverHttp(
  url: string,
  queue: string,
  perSecond: number | undefined,
  options: CallOptions | undefined,
): Promise<MoveTask> {
  const SourceArn = sqsResourceName(queue)
  const call = <O extends Operation>(operation: O, input: Input<O>) =>
    callOperation(url, operation, input, options)
  const { TaskHandle } = await call('StartMessageMoveTask', {
    SourceArn,
    ...(perSecond !== undefined && { MaxNumberOfMessagesPerSecond: perSecond }),
  })
  return {
    async look() {
      const { Results } = await call('ListMessageMoveTasks', { SourceArn })
      const [last] = Results as readonly { Status: string; ApproximateNumberOfMessagesMoved: number }[]
      return { status: last!.Status, moved: last!.ApproximateNumberOfMessagesMoved }
    },
    cancel: () => call('CancelMessageMoveTask', { TaskHandle: String(TaskHandle) }),
    async left() {
      const { Attributes } = await call('GetQueueAttributes', {
        QueueUrl: queueUrl(url, queue),
        AttributeNames: ['All'],
      })
      const numbers = Attributes as { readonly [name: string]: string }
      return {
        visible: Number(numbers.ApproximateNumberOfMessages),
        inFlight: Number(numbers.ApproximateNumberOfMessagesNotVisible),
        delayed: Number(numbers.ApproximateNumberOfMessagesDelayed),
      }
    },
  }
}

/** Waits until a task ends, or cancels it when the user stops the command. Returns how many messages it moved. */
async function untilItEnds(
  { look, cancel }: MoveTask,
  show: (moved: number) => void,
  stop: AbortSignal,
): Promise<{ readonly moved: number; readonly isStopped: boolean }> {
  for (;;) {
    const { status, moved } = await look()
    show(moved)
    if (status === 'COMPLETED') return { moved, isStopped: false }
    if (status === 'CANCELLED' && stop.aborted) return { moved, isStopped: true }
    if (status !== 'RUNNING') throw new Error(`The redrive ended after ${moved} messages: ${status}.`)
    // The task might have ended in the meantime. The next check reads its result.
    if (stop.aborted) await cancel().catch(() => {})
    else await delay(pollInterval, undefined, { signal: stop }).catch(() => {})
  }
}

function messages(count: number): string {
  return `${count} ${count === 1 ? 'message' : 'messages'}`
}

/** Describes which messages stay in the dead-letter queue, and why. */
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

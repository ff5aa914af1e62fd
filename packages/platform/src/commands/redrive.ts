import { defineCommand } from '../command-line/command.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { callQueues } from '../sources/queue/wire/call.ts'
import { wireResourceName } from '../sources/queue/wire/queue-address.ts'
import { configOption } from './config-option.ts'
import { refuseOperands } from './operands.ts'
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
      if (store !== undefined) return store.redrive(queue)
      const { TaskHandle } = await callQueues(url!, 'StartMessageMoveTask', {
        SourceArn: wireResourceName(queue),
      })
      return (JSON.parse(Buffer.from(String(TaskHandle), 'base64url').toString()) as { moved: number }).moved
    })
    terminal.print(`${moved} ${moved === 1 ? 'message' : 'messages'} sent back from ${queue}.`)
    return 0
  },
})

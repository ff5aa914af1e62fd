import {
  configOption,
  defineCommand,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { callOperation } from '../api/call-operation.ts'
import { queueUrl } from '../api/queue-url.ts'
import type { MessageAttributes } from '../store/queue-store.ts'
import { QueueStoreError } from '../store/queue-store-error.ts'
import { withQueues } from './with-queues.ts'

/** The command `send`, which sends one message to a queue. */
export const send = defineCommand({
  name: 'send',
  summary: 'Send a message to a queue',
  usage: 'QUEUE BODY [--group G] [--deduplication-id ID] [--attribute K=V]… [--config FILE]',
  details: `Sends to the running platform, or stores the message for its next start. Prints the id of the message.

Exit codes: 0 stored; 2 refused.`,
  examples: [
    [`signalbox send orders '{"order": "1001"}'`, 'sends to a standard queue'],
    [
      'signalbox send orders.fifo hello --group ann --attribute source=shell',
      'sends to a group of a FIFO queue',
    ],
  ],
  options: {
    group: { type: 'string', short: 'g', value: 'G', help: 'the message group; required for FIFO queues' },
    'deduplication-id': { type: 'string', value: 'ID', help: 'for FIFO queues; default: a random id' },
    attribute: {
      type: 'string',
      short: 'a',
      multiple: true,
      value: 'K=V',
      help: 'a message attribute of type String',
    },
    config: configOption,
  },
  async run({ group, attribute = [], config, ...rest }, operands, terminal) {
    const [queue, body] = operands
    if (queue === undefined || body === undefined) throw new UsageError('send needs a queue and a body.')
    refuseOperands('send', operands, 2)
    if (group === undefined && queue.endsWith('.fifo'))
      throw new UsageError('send needs a --group for a FIFO queue.')
    const attributes = attributesOf(attribute)
    const deduplicationId =
      rest['deduplication-id'] ?? (queue.endsWith('.fifo') ? crypto.randomUUID() : undefined)
    const id = await withQueues(config, terminal, queue, async ({ store, url, options }) => {
      if (store !== undefined) {
        const message = { body, group, attributes, deduplicationId, sender: 'signalbox' }
        const [sent] = await store.send(queue, [message])
        if (sent instanceof QueueStoreError) throw sent
        return sent!.messageId
      }
      const answer = await callOperation(
        url!,
        'SendMessage',
        {
          QueueUrl: queueUrl(url!, queue),
          MessageBody: body,
          MessageAttributes: Object.fromEntries(
            Object.entries(attributes).map(([name, { dataType, stringValue }]) => [
              name,
              { DataType: dataType, ...(stringValue !== undefined && { StringValue: stringValue }) },
            ]),
          ),
          ...(group !== undefined && { MessageGroupId: group }),
          ...(deduplicationId !== undefined && { MessageDeduplicationId: deduplicationId }),
        },
        options,
      )
      return String(answer.MessageId)
    })
    terminal.print(id)
    return 0
  },
})

function attributesOf(options: readonly string[]): MessageAttributes {
  return Object.fromEntries(
    options.map(text => {
      const at = text.indexOf('=')
      if (at < 1) throw new UsageError(`--attribute ${text}: expected NAME=VALUE.`)
      return [text.slice(0, at), { dataType: 'String', stringValue: text.slice(at + 1) }]
    }),
  )
}

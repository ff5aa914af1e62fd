import { fromJson } from '@signalbox/codec'
import { deadline, type InvocationContext, memoryStore, type Plugin } from '@signalbox/core'
import {
  type BatchOptions,
  discard,
  eachMessage,
  failureCollector,
  type Message,
  once,
  type QueueEvent,
  type QueueRecord,
  queue,
} from '@signalbox/queue'
import { fifoRecord, queueRecord } from '@signalbox/queue/testing'
import * as t from 'io-ts'
import { expectAnswer, expectError, type Outcome, oneOf, type Planned } from './planned.ts'
import {
  clock,
  current,
  maybePause,
  pause,
  see,
  seeOwn,
  untilAborted,
  type Visit,
  violation,
} from './visit.ts'

const Order = t.type({ mark: t.string, asked: t.string })
type Order = t.TypeOf<typeof Order>
const OrderText = fromJson(Order)

interface Received {
  readonly id: string
  readonly body: Order
  readonly signal: AbortSignal
}

/** Does what a message asks for. */
async function act({ id, body, signal }: Received): Promise<void> {
  await maybePause()
  seeOwn('a message', id, body)
  current().runs++
  if (body.asked === 'fail') throw new Error(`failed ${id}`)
  if (body.asked === 'discard') discard(`discarded ${id}`)
  if (body.asked === 'wait') await untilAborted(signal)
}

async function onMessage(message: Message<Order>): Promise<void> {
  const { record, attributes, correlationId, context, remaining } = message
  seeOwn('a message', record, context)
  seeOwn('the attributes of a message', attributes)
  seeOwn('the correlation id of a message', correlationId)
  if (!(remaining > 0)) violation(`a message of ${current().mark} has ${remaining} ms left`)
  await act(message)
}

async function noted(message: Message<unknown>, reason: unknown): Promise<void> {
  await maybePause()
  seeOwn('a hook of messages', message.id, message.record, reason)
}

const options: BatchOptions = {
  clock,
  concurrency: 2,
  log(text, reason) {
    seeOwn('a log line', text)
    see('the reason in a log line', reason)
  },
  onFailure: noted,
  onDiscard: noted,
}

/** Handles messages one by one, each of them once. */
export function messagesPlugin(): Plugin {
  const store = memoryStore({ clock })
  return queue({ body: OrderText, onMessage: once({ store })(onMessage), ...options }) as Plugin
}

/** Handles whole batches. */
export function batchPlugin(): Plugin {
  return queue({
    body: OrderText,
    async onBatch(messages, failures) {
      const acting = messages.map(async message => {
        try {
          await onMessage(message)
        } catch (reason) {
          if (message.body.asked !== 'discard') failures.add(message, reason)
        }
      })
      await Promise.all(acting)
    },
    ...options,
    throwWhenAllFail: true,
    verify: 'md5',
  }) as Plugin
}

/** Handlers for plain middy stacks. */
export const batchHandlers = {
  eachMessage: eachMessage(OrderText, onMessage, options),
  async allSettled(event: QueueEvent, context: InvocationContext) {
    const own = deadline(context, { clock, reserve: 250 })
    const settled = await Promise.allSettled(
      event.Records.map(async ({ messageId: id, body }) =>
        act({ id, body: JSON.parse(body), signal: own.signal }),
      ),
    )
    own.end()
    return settled
  },
  async failureCollector(event: QueueEvent, context: InvocationContext) {
    const failures = failureCollector(event)
    const own = deadline(context, { clock, reserve: 250 })
    for (const record of event.Records) {
      await pause()
      see('a record', record, context)
      const { messageId: id } = record
      try {
        await act({ id, body: JSON.parse(record.body), signal: own.signal })
      } catch (reason) {
        if (!(reason instanceof Error && reason.name === 'DiscardError')) failures.add(record, reason)
      }
    }
    own.end()
    return failures
  },
}

/** Makes a batch of one to six messages, of a standard queue or of a FIFO queue. */
export function batchEvent(own: Visit): Planned {
  const { mark, random } = own
  const isFifo = random(3) === 0
  const isCalm = random(2) === 0
  // Two messages that wait for the deadline would let no other message start.
  const waiting = random(6)
  const messages = Array.from({ length: 1 + random(6) }, (_, position) => {
    const odd = oneOf(
      own,
      'fail',
      'discard',
      position === waiting ? 'wait' : 'fail',
      'not JSON',
      'not a record',
    )
    const asked = isCalm || random(3) > 0 ? 'handle' : odd
    return { asked, group: isFifo ? `${mark}-${random(3)}` : `${position}`, id: `${mark}-${position}` }
  })
  const failed = failedIds(messages)
  const isDone = failed.length < messages.length
  const isInvalid = random(40) === 0
  const records = messages.map(({ asked, group, id }) => recordOf(mark, asked, group, id, isFifo))
  const waits = messages.some(({ asked }) => asked === 'wait')
  const expected = { batchItemFailures: failed.map(itemIdentifier => ({ itemIdentifier })) }
  const kind = `${isFifo ? 'FIFO batch' : 'batch'}${isInvalid ? ' invalid' : waits ? ' wait' : failed.length > 0 ? ' fail' : ''}`
  return {
    event: { Records: isInvalid ? [...records, { ...records[0], messageId: 7, body: mark }] : records },
    kind,
    timeout: waits ? 3000 + random(500) : 60_000,
    again: isCalm && !isInvalid && random(8) === 0 ? 'afterwards' : undefined,
    check(outcome: Outcome) {
      if (isInvalid) expectError(own, kind, outcome, `/Records/${records.length}/messageId`)
      else if (!isDone && 'error' in outcome) expectError(own, kind, outcome, 'BatchFailedError')
      else expectAnswer(own, kind, outcome, expected)
      if ('error' in outcome) see(`${kind}, its error`, outcome.error)
    },
    checkAll([, second]) {
      const isOnce = isCalm && !isInvalid && second === undefined
      if (isOnce && own.runs !== messages.length)
        violation(`${kind} of ${mark} handled ${own.runs} of ${messages.length} messages`)
    },
  }
}

type Asked = { readonly asked: string; readonly group: string; readonly id: string }

/** Returns the ids of the messages that fail, and of the later messages of their groups. */
function failedIds(messages: readonly Asked[]): readonly string[] {
  const stopped = new Set<string>()
  return messages.flatMap(({ asked, group, id }) => {
    if (!['handle', 'discard'].includes(asked)) stopped.add(group)
    return stopped.has(group) ? [id] : []
  })
}

function recordOf(mark: string, asked: string, group: string, id: string, isFifo: boolean): QueueRecord {
  const body = asked.startsWith('not ') ? `{"mark":"${mark}` : JSON.stringify({ mark, asked })
  const changes = {
    messageId: id,
    receiptHandle: `receipt of ${id}`,
    messageAttributes: { tenant: { dataType: 'String', stringValue: mark } },
    attributes: {
      CloudTraceHeader: `Root=${mark}`,
      ...(isFifo && { MessageGroupId: group, MessageDeduplicationId: `once ${id}` }),
    },
  }
  const record = isFifo ? fifoRecord(body, changes as never) : queueRecord(body, changes as never)
  return asked === 'not a record' ? { ...record, cloudRegion: 7 as never } : record
}

import { readFileSync } from 'node:fs'
import { invocationContext } from '@signalbox/core/testing'
import { batchVerdict, type QueueEvent } from '@signalbox/queue/contract'
import type { Scene } from '../scene.ts'
import { handler } from './handler.ts'

export const scenes: readonly Scene[] = [
  {
    happens: 'Three orders, all of them fine',
    event: read('event.json'),
    handler,
    conclude,
    expected: 'all 3 deleted from the queue',
  },
  {
    happens: 'Five orders: one cut off, one cancelled, one that counts "two" parcels',
    event: read('mixed.json'),
    handler,
    conclude,
    expected: '3 deleted from the queue; retried: a message that is not JSON, order 1004',
  },
  {
    happens: 'A FIFO queue: ben’s first order is poison, cleo’s goes where no ship sails for now',
    event: read('fifo.json'),
    // The invocation has a short timeout, so that the demo does not wait long for the carrier.
    handler: event => handler(event, invocationContext({ timeout: 400 })),
    conclude,
    expected:
      '3 deleted from the queue; retried: ' +
      'order 2002 of ben, order 2003 of cleo, order 2004 of ben, order 2006 of cleo',
  },
]

function read(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
}

function conclude(payload: string, event: unknown): string {
  const { Records: records } = event as QueueEvent
  const verdict = batchVerdict(payload, event as QueueEvent)
  if (verdict.kind === 'failure') return `all ${records.length} retried, because ${verdict.why}`
  if (verdict.kind === 'success') return `all ${records.length} deleted from the queue`
  const retried = records.filter(({ messageId }) => verdict.failed.includes(messageId)).map(nameOf)
  return `${records.length - retried.length} deleted from the queue; retried: ${retried.join(', ')}`
}

function nameOf({ body, attributes }: QueueEvent['Records'][number]): string {
  try {
    const group = attributes.MessageGroupId
    return `order ${JSON.parse(body).order}${group ? ` of ${group}` : ''}`
  } catch {
    return 'a message that is not JSON'
  }
}

import { account, region } from '../poller/queue-record.ts'
import { QueueStoreError } from '../store/queue-store-error.ts'
import { ProtocolError } from './wire-error.ts'

/** The resource name of a queue, in the words that clients of the protocol expect. */
export function wireResourceName(queue: string): string {
  return `arn:aws:sqs:${region}:${account}:${queue}`
}

/** @throws QueueStoreError when this is no resource name of a queue */
export function queueOfResourceName(resource: string): string {
  const queue = /^arn:[a-z-]+:(?:sqs|queue):[^:]*:[^:]*:([^:]+)$/.exec(resource)?.[1]
  if (queue !== undefined) return queue
  throw new QueueStoreError('INVALID_ATTRIBUTE_VALUE', `${JSON.stringify(resource)} is no ARN of a queue.`)
}

export function queueUrl(base: string, queue: string): string {
  return `${base}/${account}/${queue}`
}

/**
 * The queue at an address, whichever host a client knows this one by.
 * @throws ProtocolError when this is no address of a queue
 */
export function queueAt(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url
  const queue = /^(?:\/?\d+\/)?\/?([^/]+)$/.exec(path)?.[1]
  if (queue !== undefined) return queue
  throw new ProtocolError('InvalidAddress', `The address ${url} is not valid for this endpoint.`)
}

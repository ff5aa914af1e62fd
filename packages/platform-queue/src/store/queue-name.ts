import { invalidValue } from './queue-store-error.ts'

/**
 * Matches valid names: letters, digits, hyphens and underscores, at most 80 characters including the ending
 * `.fifo`.
 */
const queueName = /^(?=.{1,80}$)[A-Za-z0-9_-]+(\.fifo)?$/

/**
 * Checks the name of a queue.
 * @throws QueueStoreError for an invalid name
 */
export function refuseQueueName(queue: string): void {
  if (queueName.test(queue)) return
  throw invalidValue(
    queue,
    'QueueName',
    'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length; a FIFO queue ends in .fifo.',
  )
}

/** Returns whether a queue with this name is a FIFO queue. */
export function isFifoName(queue: string): boolean {
  return queue.endsWith('.fifo')
}

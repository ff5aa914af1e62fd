import { invalidValue } from './queue-store-error.ts'

/** Letters, digits, hyphens and underscores, 80 at most with the ending of a FIFO queue. */
const queueName = /^(?=.{1,80}$)[A-Za-z0-9_-]+(\.fifo)?$/

/** @throws QueueStoreError when a queue cannot have this name */
export function refuseQueueName(queue: string): void {
  if (queueName.test(queue)) return
  throw invalidValue(
    queue,
    'QueueName',
    'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length; a FIFO queue ends in .fifo.',
  )
}

/** Whether a queue is a FIFO queue: its name says so. */
export function isFifoName(queue: string): boolean {
  return queue.endsWith('.fifo')
}

/** The `eventSource` of every record. See docs/contract/queue.md#record.eventSource. */
export const eventSource = 'cloud:queue'

/**
 * The maximum number of messages in a batch, unless the queue is configured otherwise. See
 * docs/contract/queue.md#limits.batchSize.
 */
export const defaultBatchSize = 10

/**
 * The number of milliseconds for which a FIFO queue accepts a message with the same deduplication id without delivering
 * it. See docs/contract/queue.md#limits.deduplicationInterval.
 */
export const deduplicationInterval = 5 * 60 * 1000

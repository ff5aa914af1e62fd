/** Messages in a batch unless the queue says otherwise (contract, Limits, Queue). */
export const defaultBatchSize = 10

/**
 * Milliseconds during which a FIFO message that is sent again with the same deduplication id is accepted but not
 * delivered (contract, Limits, Queue; B, MessageDeduplicationId).
 */
export const deduplicationInterval = 5 * 60 * 1000

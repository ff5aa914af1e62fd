/** A function that gets the messages of a queue. Times are in seconds. */
export interface QueueMapping {
  readonly queueArn: string
  readonly functionName: string
  readonly batchSize: number
  readonly batchWindow: number
  /** The patterns of which a message has to match one. Empty when all match. */
  readonly filter: readonly unknown[]
  readonly maximumConcurrency: number
  readonly reportBatchItemFailures: boolean
}

/** Sends messages of other sources to queues. */
export interface QueueSender {
  /**
   * Sends a message to a queue of the configuration. Resolves when it is durable.
   * @throws Error, as a rejection, when the queue does not accept the message
   */
  readonly send: (queue: string, body: string) => Promise<void>
  /** The functions of the queues of the configuration. */
  readonly mappings: readonly QueueMapping[]
}

/** Sends messages of other sources to queues. */
export interface QueueSender {
  /**
   * Sends a message to a queue of the configuration. Resolves when it is durable.
   * @throws Error, as a rejection, when the queue does not accept the message
   */
  readonly send: (queue: string, body: string) => Promise<void>
}

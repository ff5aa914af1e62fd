/** How a function gets messages of a queue. Times are in seconds. */
export interface QueueDelivery {
  readonly batchSize: number
  readonly batchWindow: number
  /** The patterns of which a message has to match one. Empty when all match. */
  readonly filter: readonly unknown[]
  /** Default: the number of instances of the function. */
  readonly maximumConcurrency: number | undefined
  readonly reportBatchItemFailures: boolean
}

/** A function that gets the messages of a queue. */
export interface QueueMapping extends QueueDelivery {
  readonly queueArn: string
  readonly functionName: string
  readonly state: 'Creating' | 'Enabling' | 'Enabled' | 'Disabling' | 'Disabled' | 'Updating' | 'Deleting'
  /** The time of the last change, in milliseconds since the epoch. Undefined for one that is as in the configuration. */
  readonly modifiedAt: number | undefined
  /** Whether the configuration has it, rather than a client of the API. */
  readonly isConfigured: boolean
}

/** What a client changes of a mapping. What is undefined stays. */
export type MappingChange = { readonly [K in keyof QueueDelivery]?: QueueDelivery[K] | undefined } & {
  readonly isEnabled?: boolean | undefined
}

/** Thrown for a mapping that a queue cannot have. The message is for the client. */
export class MappingRefusedError extends Error {
  override readonly name = 'MappingRefusedError'
}

/** Sends messages of other sources to queues. */
export interface QueueSender {
  /**
   * Sends a message to a queue of the configuration. Resolves when it is durable.
   * @throws Error, as a rejection, when the queue does not accept the message
   */
  readonly send: (queue: string, body: string) => Promise<void>
  /** Returns the functions of queues, those of the configuration first. */
  readonly mappings: () => Promise<readonly QueueMapping[]>
  /**
   * Creates, changes or removes a mapping. Resolves when it is durable, and before it has an effect: its state says that.
   * @param change undefined to remove it
   * @throws MappingRefusedError, as a rejection, for one that the queue cannot have, or that the configuration has
   */
  readonly changeMapping: (
    queueArn: string,
    functionName: string,
    change: MappingChange | undefined,
  ) => Promise<QueueMapping>
}

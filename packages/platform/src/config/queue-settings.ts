import type { QueueAttributes } from '../sources/queue/store/queue-attributes.ts'
import type { Config, FunctionConfig, QueueConfig, QueueEngineConfig } from './config.ts'
import { defaultInstances } from './function-defaults.ts'

/** A queue with nothing left open. Times in milliseconds. */
export interface QueueSettings {
  readonly name: string
  /** How a function gets its messages; undefined when none does. */
  readonly poll:
    | {
        readonly functionName: string
        readonly batchSize: number
        readonly batchWindow: number
        readonly maximumConcurrency: number
        readonly reportBatchItemFailures: boolean
      }
    | undefined
  readonly visibilityTimeout: number
  /** The attributes that the queue has here, beside those that every queue has. */
  readonly attributes: Partial<QueueAttributes>
  readonly engine: QueueEngineConfig | undefined
}

/** Where the listener for clients of the queues is. */
export interface QueueListenerSettings {
  readonly port: number
  readonly host: string
}

/** Seconds for which messages stay hidden when nothing is said. */
const defaultVisibility = 30

/**
 * Seconds for which messages must stay hidden, so that a function can be through with them.
 * @param callee the function, with its time-out filled in
 */
export function neededVisibility(queue: unknown, callee: unknown): number | undefined {
  if (typeof callee !== 'object' || callee === null) return undefined
  const { timeout } = callee as FunctionConfig
  const { batchWindow = 0 } = queue as QueueConfig
  return Math.ceil(Number(timeout) + Number(batchWindow))
}

/** @param functions those of the configuration, which has been found to be right, with their time-outs filled in */
export function queueSettings(
  name: string,
  config: QueueConfig,
  functions: Config['functions'],
): QueueSettings {
  const { function: functionName, batchSize = 10, batchWindow = 0, reportBatchItemFailures = true } = config
  const callee = functionName === undefined ? undefined : functions[functionName]
  const needed = (neededVisibility(config, callee) ?? 0) + (callee?.wait ?? 0)
  const visibilityTimeout =
    (config.visibilityTimeout ?? Math.max(defaultVisibility, Math.ceil(needed))) * 1000
  const { delay, retention, contentBasedDeduplication, deadLetter, engine } = config
  return {
    name,
    poll:
      functionName === undefined
        ? undefined
        : {
            functionName,
            batchSize,
            batchWindow: batchWindow * 1000,
            maximumConcurrency: config.maximumConcurrency ?? callee?.instances ?? defaultInstances,
            reportBatchItemFailures,
          },
    visibilityTimeout,
    attributes: {
      visibilityTimeout,
      delay: (delay ?? 0) * 1000,
      retention: (retention ?? 345_600) * 1000,
      contentBasedDeduplication: contentBasedDeduplication ?? false,
      deadLetter,
    },
    engine,
  }
}

import { isObject } from '@signalbox/codec'
import {
  type FunctionConfig,
  functionFields,
  type TimedFunctions,
  type TlsFiles,
  type UncheckedObject,
  type ValuesOf,
  valuesOf,
} from '@signalbox/platform-runtime/config'
import type { FilterPattern } from '../filter/filter-pattern.ts'
import type { ConsumerSettings } from '../poller/consumer.ts'
import type { ExecutionPerMessage } from '../poller/execution-consumer.ts'
import type { QueueAttributes } from '../store/queue-attributes.ts'
import { isFifoName } from '../store/queue-name.ts'
import {
  executionFields,
  type QueueConfig,
  type QueueEngineConfig,
  type QueueFunctionConfig,
  queueFields,
  queueFunctionFields,
  type queueListenerFields,
} from './queue-config.ts'

/** The complete settings of a queue. Times are in milliseconds. */
export interface QueueSettings {
  readonly name: string
  /** The functions that get the queue's messages, with their settings. */
  readonly functions: readonly ConsumerSettings[]
  /** The time for which an incomplete batch waits for more messages. */
  readonly batchWindow: number
  readonly visibilityTimeout: number
  /** The attributes that differ from the defaults. */
  readonly attributes: Partial<QueueAttributes>
  readonly engine: QueueEngineConfig | undefined
  /** How each message becomes an execution. Undefined when functions get batches. */
  readonly executionPerMessage: ExecutionPerMessage | undefined
}

/** The address of the listener for clients of the queues. */
export interface QueueListenerSettings extends Omit<ValuesOf<typeof queueListenerFields>, 'tls'> {
  readonly tls: TlsFiles | undefined
}

/** The maximum number of messages whose executions a function has at the same time, if the queue does not say. */
const executionsAtOnce = 1000

/** The default visibility timeout in seconds. */
const defaultVisibility = 30

/** Returns the functions of a queue, each with the queue's settings as defaults. `queue` may be invalid. */
export function queueFunctions(queue: UncheckedObject): readonly UncheckedObject[] {
  if (!Array.isArray(queue.functions)) return queue.function === undefined ? [] : [queue]
  const shared = Object.keys(queueFunctionFields).map(key => [key, queue[key]])
  return queue.functions.filter(isObject).map(each => ({ ...Object.fromEntries(shared), ...each }))
}

/**
 * Returns the smallest visibility timeout in seconds that gives the functions enough time. Returns 0 if there are
 * no functions.
 * @param callees the functions with their timeouts
 */
export function requiredVisibilityTimeout(
  { batchWindow = 0 }: UncheckedObject,
  callees: readonly unknown[],
): number {
  const timeouts = callees.filter(isObject).map(({ timeout }) => Number(timeout))
  return timeouts.length === 0 ? 0 : Math.ceil(Math.max(...timeouts) + Number(batchWindow))
}

/**
 * Returns the complete settings of a queue.
 * @param functions the functions of the checked configuration with their timeouts
 */
export function queueSettings(name: string, config: QueueConfig, functions: TimedFunctions): QueueSettings {
  // The configuration has already been checked.
  const entries = queueFunctions({ ...config }) as unknown as readonly QueueFunctionConfig[]
  const callees = entries.map(each => functions[each.function]!)
  const waits = callees.map(({ wait = 0 }) => wait)
  const needed = requiredVisibilityTimeout({ ...config }, callees) + Math.max(0, ...waits)
  const visibilityTimeout =
    (config.visibilityTimeout ?? Math.max(defaultVisibility, Math.ceil(needed))) * 1000
  const values = valuesOf(queueFields, config)
  const { delay, retentionPeriod, contentBasedDeduplication, deadLetter, engine } = values
  const { executionPerMessage: each } = values
  const executionPerMessage = each && valuesOf(executionFields, each)
  return {
    name,
    functions: entries.map((entry, position) => {
      const consumer = consumerSettings(entry, callees[position]!)
      if (executionPerMessage === undefined) return consumer
      return {
        ...consumer,
        // A message of a FIFO queue that waited behind another one of its group would have to stay hidden.
        batchSize: isFifoName(name) ? 1 : consumer.batchSize,
        maximumConcurrency: entry.maximumConcurrency ?? executionsAtOnce,
      }
    }),
    batchWindow: values.batchWindow,
    visibilityTimeout,
    attributes: { visibilityTimeout, delay, retentionPeriod, contentBasedDeduplication, deadLetter },
    engine,
    executionPerMessage,
  }
}

/** Returns the complete settings for delivering messages to a function. */
export function consumerSettings(entry: QueueFunctionConfig, callee: FunctionConfig): ConsumerSettings {
  const { function: functionName, filter, ...values } = valuesOf(queueFunctionFields, entry)
  const isAws = callee.dialect === 'aws'
  return {
    ...values,
    functionName,
    filter: filter && ((Array.isArray(filter) ? filter : [filter]) as readonly FilterPattern[]),
    maximumConcurrency: values.maximumConcurrency ?? callee.instances ?? functionFields.instances.default,
    // On AWS, a function succeeds if it returns a string, or any object without the fields of a batch response.
    reportBatchItemFailures: values.reportBatchItemFailures ?? !isAws,
    resourceForm: isAws ? 'sqs' : 'contract',
  }
}

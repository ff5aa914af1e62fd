import { isObject } from '@signalbox/codec'
import type {
  FunctionConfig,
  ListenerLimitsConfig,
  TimedFunctions,
  TlsFiles,
} from '@signalbox/platform-runtime/config'
import { defaultInstances, type UncheckedObject } from '@signalbox/platform-runtime/config'
import type { FilterPattern } from '../filter/filter-pattern.ts'
import type { ConsumerSettings } from '../poller/consumer.ts'
import type { QueueAttributes } from '../store/queue-attributes.ts'
import type { QueueConfig, QueueEngineConfig, QueueFunctionConfig } from './queue-config.ts'

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
}

/** The address of the listener for clients of the queues. */
export interface QueueListenerSettings {
  readonly port: number
  readonly host: string
  readonly open: boolean
  readonly names: readonly string[]
  readonly tls: TlsFiles | undefined
  readonly limits: ListenerLimitsConfig | undefined
}

/** The default visibility timeout in seconds. */
const defaultVisibility = 30

/** Returns the functions of a queue, each with the queue's settings as defaults. `queue` may be invalid. */
export function queueFunctions(queue: UncheckedObject): readonly UncheckedObject[] {
  const { functions, batchSize, maximumConcurrency, reportBatchItemFailures } = queue
  if (Array.isArray(functions))
    return functions
      .filter(isObject)
      .map(each => ({ batchSize, maximumConcurrency, reportBatchItemFailures, ...each }))
  return queue.function === undefined ? [] : [queue]
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
  const { delay, retentionPeriod, contentBasedDeduplication, deadLetter, engine } = config
  return {
    name,
    functions: entries.map((each, position) => consumerSettings(each, callees[position]!)),
    batchWindow: (config.batchWindow ?? 0) * 1000,
    visibilityTimeout,
    attributes: {
      visibilityTimeout,
      delay: (delay ?? 0) * 1000,
      retentionPeriod: (retentionPeriod ?? 345_600) * 1000,
      contentBasedDeduplication: contentBasedDeduplication ?? false,
      deadLetter,
    },
    engine,
  }
}

function consumerSettings(
  { filter, batchSize = 10, ...entry }: QueueFunctionConfig,
  callee: FunctionConfig,
): ConsumerSettings {
  const isAws = callee.dialect === 'aws'
  return {
    functionName: entry.function,
    filter: filter && ((Array.isArray(filter) ? filter : [filter]) as readonly FilterPattern[]),
    batchSize,
    maximumConcurrency: entry.maximumConcurrency ?? callee.instances ?? defaultInstances,
    // On AWS, a function succeeds if it returns a string, or any object without the fields of a batch response.
    reportBatchItemFailures: entry.reportBatchItemFailures ?? !isAws,
    resourceForm: isAws ? 'sqs' : 'contract',
  }
}

import { pointerKeys } from '@signalbox/codec'
import type { MappingChange, QueueDelivery } from '@signalbox/platform-runtime'
import type { TimedFunctions } from '@signalbox/platform-runtime/config'
import type { QueueConfig } from './queue-config.ts'
import { queuesPart } from './queues-part.ts'

/** The names of the settings of a mapping in the API. */
const names: { readonly [option: string]: string } = {
  batchSize: 'BatchSize',
  batchWindow: 'MaximumBatchingWindowInSeconds',
  maximumConcurrency: 'ScalingConfig.MaximumConcurrency',
  reportBatchItemFailures: 'FunctionResponseTypes',
  filter: 'FilterCriteria',
  visibilityTimeout: 'The visibility timeout of the queue',
}

/** Returns why a queue cannot have a function with certain settings, or undefined. The rules are those of the configuration. */
export function mappingProblem(
  queue: string,
  functionName: string,
  { batchWindow, filter, maximumConcurrency, ...delivery }: QueueDelivery,
  visibilityTimeout: number,
  functions: TimedFunctions,
): string | undefined {
  const config = {
    ...{ visibilityTimeout: visibilityTimeout / 1000, batchWindow, function: functionName, ...delivery },
    ...(maximumConcurrency !== undefined && { maximumConcurrency }),
    ...(filter.length > 0 && { filter }),
  } as QueueConfig
  const [problem] = queuesPart.problems({ queues: { [queue]: config } }, functions)
  if (problem === undefined) return undefined
  const [, , option = '', ...rest] = pointerKeys(problem.pointer)
  const place = [names[option] ?? option, ...rest].join('.')
  return `${place}: expected ${problem.expected}, not ${problem.actual}.`
}

/** Returns the names of the settings that a change gives a mapping of the configuration other than it has. */
export function differingSettings(before: QueueDelivery, change: MappingChange): readonly string[] {
  const keys = Object.keys(names) as (keyof QueueDelivery)[]
  return keys
    .filter(key => change[key] !== undefined && JSON.stringify(change[key]) !== JSON.stringify(before[key]))
    .map(key => names[key]!)
}

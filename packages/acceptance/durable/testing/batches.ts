import type { CompletionConfig, DurableContext, MapConfig } from '@aws/durable-execution-sdk-js'

/** A function that a batch runs. */
export type Branch<Value> = (context: DurableContext) => Promise<Value>

/** The two operations that run functions for a list, in the same words. */
export const operations = {
  parallel: {
    ...{ batch: 'Parallel', item: 'ParallelBranch', nameOf: (index: number) => `parallel-branch-${index}` },
    run: <Value>(
      context: DurableContext,
      functions: Branch<Value>[],
      config: Omit<MapConfig<unknown, Value>, 'itemNamer'> = {},
    ) => context.parallel(functions, { maxConcurrency: 1, ...config }),
  },
  map: {
    ...{ batch: 'Map', item: 'MapIteration', nameOf: (index: number) => `map-item-${index}` },
    run: <Value>(
      context: DurableContext,
      functions: Branch<Value>[],
      config: Omit<MapConfig<unknown, Value>, 'itemNamer'> = {},
    ) =>
      context.map(functions, async (child, each) => each(child), {
        maxConcurrency: 1,
        ...config,
      } as MapConfig<Branch<Value>, Value>),
  },
}

/** One of the operations. */
export type Operation = (typeof operations)['parallel' | 'map']

/** The error of each item that fails. */
export const failure = 'RangeError: refused'

/** Returns functions that return their values, and fail where the value is `!`. */
export const functionsOf = (values: readonly string[]): Branch<string>[] =>
  values.map(value => async () => {
    if (value === '!') throw new RangeError('refused')
    return value
  })

/**
 * Returns the history of a batch whose items ran one after another, without an operation in them.
 * @param values the payloads of the items that ran, `!` for one that failed
 */
export function batchHistory(
  { batch, item, nameOf }: Omit<Operation, 'run'>,
  values: readonly string[],
  { name = '', result = '' } = {},
): string {
  return [
    `ContextStarted a ${batch}${name}`,
    ...values.flatMap((value, index) => {
      const operation = `a>${'bcdef'.charAt(index)} ${item} "${nameOf(index)}"`
      return [
        `ContextStarted ${operation}`,
        value === '!' ? `ContextFailed ${operation} ${failure}` : `ContextSucceeded ${operation} = ${value}`,
      ]
    }),
    `ContextSucceeded a ${batch}${name}${result}`,
  ].join('\n')
}

/** When a batch ends early, what it says of itself, and which of its items have run then. */
export interface Completion {
  readonly config: CompletionConfig
  /** The values of the items, of which not all run. */
  readonly values: readonly string[]
  readonly reason: string
  readonly ran: number
}

import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { maskText } from '@signalbox/telemetry/masking'
import type { InvocationResult, Invoker } from './invoker.ts'

/** A function that this platform loads. */
export interface LoadableFunction {
  readonly name: string
  readonly code: { readonly module: string } | { readonly command: readonly string[] }
  readonly invoker: Pick<Invoker, 'load'>
}

/** The maximum number of lines of a function's output that are shown with the reason. */
const shownLines = 8

/**
 * Loads each function once, and returns a description of each one that cannot be loaded, by its name. It loads as many
 * functions at the same time as the machine has processors, so that a slow machine does not exceed the time limit of a
 * load. See docs/decisions/instances-and-invocations.md#functions-are-loaded-at-start.
 */
export async function loadFunctions(
  functions: readonly LoadableFunction[],
): Promise<ReadonlyMap<string, string>> {
  const failures = new Map<LoadableFunction, InvocationResult>()
  const left = functions.values()
  const loadRest = async () => {
    for (const each of left) {
      const failed = await each.invoker.load?.()
      if (failed !== undefined) failures.set(each, failed)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, loadRest))
  return new Map(
    functions.flatMap(each => {
      const failed = failures.get(each)
      return failed === undefined ? [] : [[each.name, describe(each, failed)]]
    }),
  )
}

function describe({ name, code }: LoadableFunction, { failure, logs }: InvocationResult): string {
  const why = failure!.message.replace(/^The module cannot be loaded\. /, '')
  const output = logs.flatMap(({ text }) => text.split('\n'))
  const shown = output
    .filter(line => line.trim() !== '' && !why.includes(line.replace(/^\w*Error(?: \[\w+\])?: /, '')))
    .slice(0, shownLines)
    .map(line => `    ${line}`)
  const where = 'module' in code ? fileURLToPath(code.module) : code.command[0]
  const text = `The function ${name} (${where}) cannot be loaded. ${why}`
  return maskText([text, ...shown].join('\n')).text
}

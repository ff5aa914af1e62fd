import {
  createRetryStrategy,
  type DurableContext,
  type DurableExecutionHandler,
  JitterStrategy,
} from '@aws/durable-execution-sdk-js'
import { type Call, recorder } from './recorder.ts'
import { type durablePlatform, succeeded } from './required.ts'

/** Runs a function with one plugin. Operations have the letters of the history in place of ids. */
export async function recorded(
  run: ReturnType<typeof durablePlatform>['run'],
  handler: DurableExecutionHandler,
  input: unknown = null,
) {
  const { calls, plugin } = recorder()
  const letters = new Map<string, string>()
  const ended = await run(handler, { input, letters, config: { plugins: [plugin] } })
  const told = (hook: Call[0], type?: string) =>
    calls.flatMap(([each, info]) =>
      each === hook && (type === undefined || info.type === type) ? [info] : [],
    )
  return { ended, told, calls, letterOf: (id: unknown) => letters.get(String(id)) }
}

/** A function with one step, and how it ends for Ada. */
export const greet: DurableExecutionHandler = async (name: string, context) =>
  context.step('greet', async () => `Good day, ${name}`)
export const greeted = succeeded(
  'Good day, Ada',
  `StepStarted a "greet"
   StepSucceeded a "greet" = "Good day, Ada"
   InvocationCompleted`,
)

/** The configuration of a step that is tried a number of times, after a second each. */
export const attempts = (maxAttempts: number) => ({
  retryStrategy: createRetryStrategy({
    ...{ maxAttempts, initialDelay: { seconds: 1 }, backoffRate: 1, jitter: JitterStrategy.NONE },
  }),
})

/** Runs a step that fails a number of times. */
export function flaky(context: DurableContext, state: { calls: number }, failures: number) {
  return context.step(
    'flaky',
    async () => {
      if (++state.calls <= failures) throw new Error('not yet')
      return 'done'
    },
    attempts(2),
  )
}

/**
 * Returns the history of such a step.
 * @param last the line of the end of its second attempt
 * @param letter the letter of the step
 */
export const flakyHistory = (last: string, letter = 'a') =>
  `StepStarted ${letter} "flaky"
   StepFailed ${letter} "flaky" Error: not yet again in 1 s
   InvocationCompleted
   StepStarted ${letter} "flaky"
   ${last}
   InvocationCompleted`

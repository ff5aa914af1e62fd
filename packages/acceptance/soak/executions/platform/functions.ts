import { withDurableExecution } from '@aws/durable-execution-sdk-js'
import { shapes } from '../shapes.ts'

/** Does what the shape of its number says. */
export const shape = withDurableExecution(async ({ number }: { readonly number: number }, context) => {
  const { run } = shapes[number % shapes.length]!
  return run(context, number)
})

/** A durable function that others call. */
export const called = withDurableExecution(async ({ number }: { readonly number: number }, context) => {
  await context.wait('rest', { seconds: 1 })
  return context.step('count', async () => number + 1)
})

/** A function without executions that others call. */
export const double = async (number: number) => number * 2

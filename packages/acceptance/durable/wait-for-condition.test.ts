import {
  createWaitStrategy,
  type DurableContext,
  JitterStrategy,
  type WaitForConditionConfig,
} from '@aws/durable-execution-sdk-js'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { durablePlatform, failed, succeeded } from './testing/required.ts'

const { run, start, stop } = durablePlatform()
beforeAll(start)
afterAll(stop)

/** Counts from a number until it has reached another one, with a check each second. */
const upTo = (end: number, initialState = 0, seconds = 1): WaitForConditionConfig<number> => ({
  initialState,
  waitStrategy: count =>
    count < end ? { shouldContinue: true, delay: { seconds } } : { shouldContinue: false },
})

const next = async (count: number) => count + 1

/** Returns the history of checks, with what each of them returns. The last one ends the operation. */
function checks(results: readonly string[], { name = '', id = 'a', seconds = 1 } = {}) {
  const operation = `${id} WaitForCondition${name}`
  return results
    .map((result, index) => {
      const isLast = index === results.length - 1
      const attempt = index === 0 ? '' : ` attempt ${index + 1}`
      return [
        `StepStarted ${operation}`,
        `StepSucceeded ${operation} = ${result}${attempt}${isLast ? '' : ` again in ${seconds} s`}`,
        ...(isLast ? [] : ['InvocationCompleted']),
      ].join('\n')
    })
    .join('\n')
}

const end = '\nInvocationCompleted'

it('a condition is checked again after its delay, until it is met', async () => {
  const ended = await run(async (most: number, context) => context.waitForCondition(next, upTo(most)), {
    input: 3,
  })
  expect(ended).toEqual(succeeded(3, checks(['1', '2', '3']) + end))
})

it('a condition that is met at once needs one check', async () => {
  const ended = await run(
    async (most: number, context) => context.waitForCondition(async count => count, upTo(most, 5)),
    { input: 5 },
  )
  expect(ended).toEqual(succeeded(5, checks(['5']) + end))
})

it('each event of a condition has its name', async () => {
  const ended = await run(async (_event, context) => context.waitForCondition('is it ready', next, upTo(2)))
  expect(ended).toEqual(succeeded(2, checks(['1', '2'], { name: ' "is it ready"' }) + end))
})

it('the first check gets the initial state, and each other one the state before it', async () => {
  const ended = await run(async (_event, context) => context.waitForCondition(next, upTo(8, 5)))
  expect(ended).toEqual(succeeded(8, checks(['6', '7', '8']) + end))
})

it('each event of a check that goes on has the delay', async () => {
  const ended = await run(async (_event, context) => context.waitForCondition(next, upTo(3, 0, 2)))
  expect(ended).toEqual(succeeded(3, checks(['1', '2', '3'], { seconds: 2 }) + end))
})

it('a condition that is never met fails after the largest number of checks', async () => {
  const waitStrategy = createWaitStrategy<number>({
    ...{ maxAttempts: 3, initialDelay: { seconds: 1 }, backoffRate: 1, jitter: JitterStrategy.NONE },
    shouldContinuePolling: () => true,
  })
  const ended = await run(async (_event, context) =>
    context.waitForCondition(next, { initialState: 0, waitStrategy }),
  )
  expect(ended).toEqual(
    failed(
      'StepError: waitForCondition exceeded maximum attempts (3)',
      `${checks(['1', '2', 'none']).replace(/\nStepSucceeded.*$/, '')}
       StepFailed a WaitForCondition Error: waitForCondition exceeded maximum attempts (3) attempt 3
       InvocationCompleted`,
    ),
  )
})

const thrown = `StepStarted a WaitForCondition
       StepFailed a WaitForCondition RangeError: no answer
       InvocationCompleted`

const throwing = (context: DurableContext) =>
  context.waitForCondition(async () => {
    throw new RangeError('no answer')
  }, upTo(3))

it('a check that throws ends the execution', async () => {
  expect(await run(async (_event, context) => throwing(context))).toEqual(
    failed('StepError: no answer', thrown),
  )
})

it('a function can catch the error of a check', async () => {
  const ended = await run(async (_event, context) => {
    try {
      return await throwing(context)
    } catch {
      return 'instead'
    }
  })
  expect(ended).toEqual(succeeded('instead', thrown))
})

it('the state of a condition can be an object', async () => {
  const ended = await run(async (_event, context) =>
    context.waitForCondition(
      async ({ count }) => ({ count: count + 1, state: count === 1 ? 'ready' : 'busy' }),
      {
        initialState: { count: 0, state: 'busy' },
        waitStrategy: ({ state }) =>
          state === 'busy' ? { shouldContinue: true, delay: { seconds: 1 } } : { shouldContinue: false },
      },
    ),
  )
  expect(ended).toEqual(
    succeeded(
      { count: 2, state: 'ready' },
      checks(['{"count":1,"state":"busy"}', '{"count":2,"state":"ready"}']) + end,
    ),
  )
})

it('the state of a condition can be null', async () => {
  const ended = await run(async (_event, context) =>
    context.waitForCondition(async () => null, {
      initialState: null,
      waitStrategy: () => ({ shouldContinue: false }),
    }),
  )
  expect(ended).toEqual(succeeded(null, checks(['null']) + end))
})

it('the state of a condition is recorded in the form that the function chooses', async () => {
  const serdes = {
    serialize: async (text: string | undefined) => `text:${text}`,
    deserialize: async (text: string | undefined) => text?.slice('text:'.length),
  }
  const ended = await run(async (_event, context) =>
    context.waitForCondition(async (text: string) => `${text}x`, {
      ...{ initialState: '', serdes },
      waitStrategy: text =>
        text.length < 2 ? { shouldContinue: true, delay: { seconds: 1 } } : { shouldContinue: false },
    }),
  )
  expect(ended).toEqual(succeeded('xx', checks(['text:x', 'text:xx']) + end))
})

it('a step uses the last state of a condition', async () => {
  const ended = await run(async (_event, context) => {
    const count = await context.waitForCondition(next, upTo(2))
    return context.step(async () => count * 10)
  })
  expect(ended).toEqual(
    succeeded(
      20,
      `${checks(['1', '2'])}
       StepStarted b
       StepSucceeded b = 20
       InvocationCompleted`,
    ),
  )
})

it('two conditions follow each other, each an operation of its own', async () => {
  const ended = await run(async (_event, context) => {
    const count = await context.waitForCondition(next, upTo(2))
    return context.waitForCondition(next, upTo(4, count))
  })
  expect(ended).toEqual(succeeded(4, `${checks(['1', '2'])}\n${checks(['3', '4'], { id: 'b' })}${end}`))
})

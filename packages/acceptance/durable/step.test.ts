import { createRetryStrategy, JitterStrategy, type Serdes } from '@aws/durable-execution-sdk-js'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { durablePlatform, failed, succeeded } from './testing/required.ts'

const { run, start, stop } = durablePlatform()
beforeAll(start)
afterAll(stop)

const never = { retryStrategy: () => ({ shouldRetry: false }) }
const always = (maxAttempts: number, seconds = 1) => ({
  retryStrategy: createRetryStrategy({
    ...{ maxAttempts, initialDelay: { seconds }, backoffRate: 1, jitter: JitterStrategy.NONE },
  }),
})

/** Returns a step that fails a number of times before it returns a value. */
function flaky<Value>(failures: number, value: Value, error: () => Error = () => new Error('not yet')) {
  let calls = 0
  return async () => {
    if (calls++ < failures) throw error()
    return value
  }
}

class Transient extends Error {
  override readonly name = 'Transient'
}

it('a step is recorded when it starts and when it has succeeded', async () => {
  const ended = await run(async (name: string, context) => context.step(async () => `Good day, ${name}`), {
    input: 'Ada',
  })
  expect(ended).toEqual(
    succeeded(
      'Good day, Ada',
      `StepStarted a
       StepSucceeded a = "Good day, Ada"
       InvocationCompleted`,
    ),
  )
})

it('both events of a step have its name', async () => {
  const ended = await run(async (name: string, context) => context.step('greet', async () => name), {
    input: 'Ada',
  })
  expect(ended).toEqual(
    succeeded(
      'Ada',
      `StepStarted a "greet"
       StepSucceeded a "greet" = "Ada"
       InvocationCompleted`,
    ),
  )
})

it('a step can use the result of the step before it', async () => {
  const ended = await run(async (_event, context) => {
    const one = await context.step(async () => 'one')
    return context.step(async () => `${one}, two`)
  })
  expect(ended).toEqual(
    succeeded(
      'one, two',
      `StepStarted a
       StepSucceeded a = "one"
       StepStarted b
       StepSucceeded b = "one, two"
       InvocationCompleted`,
    ),
  )
})

it('a step returns objects and lists as they are', async () => {
  const ended = await run(
    async (user: { readonly roles: readonly string[] }, context) =>
      context.step(async () => ({ user, roles: user.roles.length })),
    { input: { id: 7, roles: ['cook', 'waiter'] } },
  )
  expect(ended).toEqual(
    succeeded(
      { user: { id: 7, roles: ['cook', 'waiter'] }, roles: 2 },
      `StepStarted a
       StepSucceeded a = {"user":{"id":7,"roles":["cook","waiter"]},"roles":2}
       InvocationCompleted`,
    ),
  )
})

it('a step can return null', async () => {
  const ended = await run(async (_event, context) => context.step(async () => null))
  expect(ended).toEqual(
    succeeded(
      null,
      `StepStarted a
       StepSucceeded a = null
       InvocationCompleted`,
    ),
  )
})

it('the result of a step is recorded in the form that the function chooses', async () => {
  const upper: Serdes<string> = {
    serialize: async value => value?.toUpperCase(),
    deserialize: async text => text,
  }
  const ended = await run(
    async (text: string, context) => context.step(async () => text, { serdes: upper }),
    { input: 'good day' },
  )
  expect(ended).toEqual(
    succeeded(
      'GOOD DAY',
      `StepStarted a
       StepSucceeded a = GOOD DAY
       InvocationCompleted`,
    ),
  )
})

it('a step writes to the log of its context once for each call', async () => {
  const written: unknown[] = []
  const customLogger = Object.fromEntries(
    ['debug', 'info', 'warn', 'error', 'log'].map(level => [
      level,
      (...rest: readonly unknown[]) => written.push([level, ...rest].join(' ')),
    ]),
  )
  const ended = await run(
    async (name: string, context) => {
      context.configureLogger({ customLogger: customLogger as never })
      return context.step(async ({ logger }) => {
        logger.info(`begins for ${name}`)
        logger.info(`ends for ${name}`)
        return name
      })
    },
    { input: 'Ada' },
  )
  expect(written).toEqual(['info begins for Ada', 'info ends for Ada'])
  expect(ended).toEqual(
    succeeded(
      'Ada',
      `StepStarted a
       StepSucceeded a = "Ada"
       InvocationCompleted`,
    ),
  )
})

const withWait = (step: string) => `StepStarted a
       ${step}
       WaitStarted b 2 s
       InvocationCompleted
       WaitSucceeded b 2 s
       InvocationCompleted`

it('after a wait, the function goes on with the recorded result of a step', async () => {
  const ended = await run(async (_event, context) => {
    const found = await context.step(async () => 'found')
    await context.wait({ seconds: 2 })
    return found
  })
  expect(ended).toEqual(succeeded('found', withWait('StepSucceeded a = "found"')))
})

it('a step that has succeeded does not run again', async () => {
  let calls = 0
  const ended = await run(async (_event, context) => {
    const call = await context.step(async () => ++calls)
    await context.wait({ seconds: 2 })
    return call
  })
  expect(calls).toBe(1)
  expect(ended).toEqual(succeeded(1, withWait('StepSucceeded a = 1')))
})

it('a step that has failed throws its recorded error again, and does not run again', async () => {
  let calls = 0
  const caught: string[] = []
  const ended = await run(async (_event, context) => {
    try {
      await context.step(async () => {
        throw new Error(`call ${++calls}`)
      }, never)
    } catch (error) {
      caught.push((error as Error).message)
    }
    await context.wait({ seconds: 2 })
  })
  expect([calls, ...caught]).toEqual([1, 'call 1', 'call 1'])
  expect(ended).toEqual(succeeded(undefined, withWait('StepFailed a Error: call 1')))
})

it('a step that fails is repeated after its delay, in another invocation', async () => {
  const step = flaky(1, 'done')
  const ended = await run(async (_event, context) => context.step(step, always(3)))
  expect(ended).toEqual(
    succeeded(
      'done',
      `StepStarted a
       StepFailed a Error: not yet again in 1 s
       InvocationCompleted
       StepStarted a
       StepSucceeded a = "done" attempt 2
       InvocationCompleted`,
    ),
  )
})

it('a step that always fails is repeated up to its largest number of attempts', async () => {
  const step = flaky(9, 'done')
  const ended = await run(async (_event, context) => context.step(step, always(4)))
  expect(ended).toEqual(
    failed(
      'StepError: not yet',
      `StepStarted a
       StepFailed a Error: not yet again in 1 s
       InvocationCompleted
       StepStarted a
       StepFailed a Error: not yet attempt 2 again in 1 s
       InvocationCompleted
       StepStarted a
       StepFailed a Error: not yet attempt 3 again in 1 s
       InvocationCompleted
       StepStarted a
       StepFailed a Error: not yet attempt 4
       InvocationCompleted`,
    ),
  )
})

it('a step without a strategy waits up to 5 seconds, then up to 10 seconds', async () => {
  const step = flaky(2, 'done')
  const ended = await run(async (_event, context) => context.step(step))
  const delays = ended.history.flatMap(line => /again in (\d+) s$/.exec(line)?.[1] ?? []).map(Number)
  expect(delays).toHaveLength(2)
  expect(delays[0]).toBeLessThanOrEqual(5)
  expect(delays[1]).toBeLessThanOrEqual(10)
  expect(ended).toEqual(
    succeeded(
      'done',
      `StepStarted a
       StepFailed a Error: not yet again in ${delays[0]} s
       InvocationCompleted
       StepStarted a
       StepFailed a Error: not yet attempt 2 again in ${delays[1]} s
       InvocationCompleted
       StepStarted a
       StepSucceeded a = "done" attempt 3
       InvocationCompleted`,
    ),
  )
})

it('the delay of a strategy grows by its rate', async () => {
  const step = flaky(2, 'done')
  const retryStrategy = createRetryStrategy({
    ...{ maxAttempts: 5, initialDelay: { seconds: 2 }, backoffRate: 3, jitter: JitterStrategy.NONE },
  })
  const ended = await run(async (_event, context) => context.step(step, { retryStrategy }))
  expect(ended).toEqual(
    succeeded(
      'done',
      `StepStarted a
       StepFailed a Error: not yet again in 2 s
       InvocationCompleted
       StepStarted a
       StepFailed a Error: not yet attempt 2 again in 6 s
       InvocationCompleted
       StepStarted a
       StepSucceeded a = "done" attempt 3
       InvocationCompleted`,
    ),
  )
})

it('a strategy can repeat a step for one type of error', async () => {
  const step = flaky(1, 'done', () => new Transient('busy'))
  const retryStrategy = (error: Error) =>
    error instanceof Transient ? { shouldRetry: true, delay: { seconds: 1 } } : { shouldRetry: false }
  const ended = await run(async (_event, context) => context.step(step, { retryStrategy }))
  expect(ended).toEqual(
    succeeded(
      'done',
      `StepStarted a
       StepFailed a Transient: busy again in 1 s
       InvocationCompleted
       StepStarted a
       StepSucceeded a = "done" attempt 2
       InvocationCompleted`,
    ),
  )
})

it('a strategy can let a step fail at once for one type of error', async () => {
  const step = flaky(1, 'done', () => new Transient('busy'))
  const retryStrategy = (error: Error) => ({ shouldRetry: !(error instanceof Transient) })
  const ended = await run(async (_event, context) => context.step(step, { retryStrategy }))
  expect(ended).toEqual(
    failed(
      'StepError: busy',
      `StepStarted a
       StepFailed a Transient: busy
       InvocationCompleted`,
    ),
  )
})

it('a step that fails without another attempt ends the execution', async () => {
  const ended = await run(async (_event, context) =>
    context.step(async () => {
      throw new RangeError('too far')
    }, never),
  )
  expect(ended).toEqual(
    failed(
      'StepError: too far',
      `StepStarted a
       StepFailed a RangeError: too far
       InvocationCompleted`,
    ),
  )
})

it('a function can catch the error of a step and go on', async () => {
  const ended = await run(async (_event, context) => {
    try {
      return await context.step(flaky(1, 'done'), never)
    } catch {
      return context.step(async () => 'instead')
    }
  })
  expect(ended).toEqual(
    succeeded(
      'instead',
      `StepStarted a
       StepFailed a Error: not yet
       StepStarted b
       StepSucceeded b = "instead"
       InvocationCompleted`,
    ),
  )
})

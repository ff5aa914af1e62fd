import {
  createRetryStrategy,
  type DurableContext,
  JitterStrategy,
  type Serdes,
} from '@aws/durable-execution-sdk-js'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { durablePlatform, failed, succeeded } from './testing/required.ts'

const { run, start, stop } = durablePlatform()
beforeAll(start)
afterAll(stop)

const never = { retryStrategy: () => ({ shouldRetry: false }) }
const twice = {
  retryStrategy: createRetryStrategy({
    ...{ maxAttempts: 2, initialDelay: { seconds: 1 }, backoffRate: 1, jitter: JitterStrategy.NONE },
  }),
}

/** Runs a function with the event `tea`. */
const make = (handler: (text: string, context: DurableContext) => Promise<unknown>) =>
  run(handler, { input: 'tea' })

it('a child context is recorded around its step', async () => {
  const ended = await make(async (text: string, context) =>
    context.runInChildContext(child => child.step(async () => text)),
  )
  expect(ended).toEqual(
    succeeded(
      'tea',
      `ContextStarted a
       StepStarted a>b
       StepSucceeded a>b = "tea"
       ContextSucceeded a = "tea"
       InvocationCompleted`,
    ),
  )
})

it('both events of a child context have its name', async () => {
  const ended = await make(async (text: string, context) =>
    context.runInChildContext(`make ${text}`, child => child.step(async () => text)),
  )
  expect(ended).toEqual(
    succeeded(
      'tea',
      `ContextStarted a "make tea"
       StepStarted a>b
       StepSucceeded a>b = "tea"
       ContextSucceeded a "make tea" = "tea"
       InvocationCompleted`,
    ),
  )
})

it('the steps of a child context follow each other', async () => {
  const ended = await make(async (text: string, context) =>
    context.runInChildContext('chain', async child => {
      const first = await child.step(async () => text)
      return child.step(async () => first)
    }),
  )
  expect(ended).toEqual(
    succeeded(
      'tea',
      `ContextStarted a "chain"
       StepStarted a>b
       StepSucceeded a>b = "tea"
       StepStarted a>c
       StepSucceeded a>c = "tea"
       ContextSucceeded a "chain" = "tea"
       InvocationCompleted`,
    ),
  )
})

it('a child context fails with its step, and the execution with it', async () => {
  const ended = await run(async (_event, context) =>
    context.runInChildContext('fails', child =>
      child.step(async () => {
        throw new RangeError('too hot')
      }, never),
    ),
  )
  expect(ended).toEqual(
    failed(
      'ChildContextError: too hot',
      `ContextStarted a "fails"
       StepStarted a>b
       StepFailed a>b RangeError: too hot
       ContextFailed a "fails" StepError: too hot
       InvocationCompleted`,
    ),
  )
})

it('a function can catch the error of a child context and go on', async () => {
  const ended = await make(async (text: string, context) => {
    try {
      return await context.runInChildContext(child =>
        child.step(async () => {
          throw new RangeError('too hot')
        }, never),
      )
    } catch {
      return context.step(async () => text)
    }
  })
  expect(ended).toEqual(
    succeeded(
      'tea',
      `ContextStarted a
       StepStarted a>b
       StepFailed a>b RangeError: too hot
       ContextFailed a StepError: too hot
       StepStarted c
       StepSucceeded c = "tea"
       InvocationCompleted`,
    ),
  )
})

it('a child context can have a child context', async () => {
  const ended = await make(async (text: string, context) =>
    context.runInChildContext('outer', async outer => {
      await outer.step(async () => text)
      return outer.runInChildContext('inner', inner => inner.step(async () => text))
    }),
  )
  expect(ended).toEqual(
    succeeded(
      'tea',
      `ContextStarted a "outer"
       StepStarted a>b
       StepSucceeded a>b = "tea"
       ContextStarted a>c "inner"
       StepStarted c>d
       StepSucceeded c>d = "tea"
       ContextSucceeded a>c "inner" = "tea"
       ContextSucceeded a "outer" = "tea"
       InvocationCompleted`,
    ),
  )
})

it('a child context stays open while its step waits for another attempt', async () => {
  let calls = 0
  const ended = await make(async (text: string, context) =>
    context.runInChildContext('again', child =>
      child.step(async () => {
        if (++calls === 1) throw new Error('not yet')
        return text
      }, twice),
    ),
  )
  expect(ended).toEqual(
    succeeded(
      'tea',
      `ContextStarted a "again"
       StepStarted a>b
       StepFailed a>b Error: not yet again in 1 s
       InvocationCompleted
       StepStarted a>b
       StepSucceeded a>b = "tea" attempt 2
       ContextSucceeded a "again" = "tea"
       InvocationCompleted`,
    ),
  )
})

it('a child context fails after the last attempt of its step', async () => {
  const ended = await run(async (_event, context) =>
    context.runInChildContext('again', child =>
      child.step(async () => {
        throw new Error('never')
      }, twice),
    ),
  )
  expect(ended).toEqual(
    failed(
      'ChildContextError: never',
      `ContextStarted a "again"
       StepStarted a>b
       StepFailed a>b Error: never again in 1 s
       InvocationCompleted
       StepStarted a>b
       StepFailed a>b Error: never attempt 2
       ContextFailed a "again" StepError: never
       InvocationCompleted`,
    ),
  )
})

it('a child context that has ended does not run again', async () => {
  let calls = 0
  const ended = await make(async (text: string, context) => {
    const made = await context.runInChildContext(async child => {
      calls++
      return child.step(async () => text)
    })
    await context.wait({ seconds: 3 })
    return made
  })
  expect(calls).toBe(1)
  expect(ended).toEqual(
    succeeded(
      'tea',
      `ContextStarted a
       StepStarted a>b
       StepSucceeded a>b = "tea"
       ContextSucceeded a = "tea"
       WaitStarted c 3 s
       InvocationCompleted
       WaitSucceeded c 3 s
       InvocationCompleted`,
    ),
  )
})

it('a wait in a child context belongs to it', async () => {
  const ended = await make(async (text: string, context) =>
    context.runInChildContext('brew', async child => {
      const leaves = await child.step(async () => text)
      await child.wait({ minutes: 3 })
      return leaves
    }),
  )
  expect(ended).toEqual(
    succeeded(
      'tea',
      `ContextStarted a "brew"
       StepStarted a>b
       StepSucceeded a>b = "tea"
       WaitStarted a>c 180 s
       InvocationCompleted
       WaitSucceeded a>c 180 s
       ContextSucceeded a "brew" = "tea"
       InvocationCompleted`,
    ),
  )
})

it('a child context whose result is too large to record runs again, and its step does not', async () => {
  const calls = { context: 0, step: 0 }
  const ended = await make(async (text: string, context) => {
    const large = await context.runInChildContext('large', async child => {
      calls.context++
      const part = await child.step(async () => `${text}${++calls.step}`)
      return part.repeat(100_000)
    })
    await context.wait({ seconds: 1 })
    return large.length
  })
  expect(calls).toEqual({ context: 2, step: 1 })
  expect(ended).toEqual(
    succeeded(
      400_000,
      `ContextStarted a "large"
       StepStarted a>b
       StepSucceeded a>b = "tea1"
       ContextSucceeded a "large"
       WaitStarted c 1 s
       InvocationCompleted
       WaitSucceeded c 1 s
       InvocationCompleted`,
    ),
  )
})

it('a wait alone in a child context ends the invocation, and a step outside follows', async () => {
  const ended = await make(async (text: string, context) => {
    const made = await context.runInChildContext('rest', async child => {
      await child.wait({ seconds: 4 })
      return text
    })
    return context.step(async () => made)
  })
  expect(ended).toEqual(
    succeeded(
      'tea',
      `ContextStarted a "rest"
       WaitStarted a>b 4 s
       InvocationCompleted
       WaitSucceeded a>b 4 s
       ContextSucceeded a "rest" = "tea"
       StepStarted c
       StepSucceeded c = "tea"
       InvocationCompleted`,
    ),
  )
})

it('the result of a child context is recorded in the form that the function chooses', async () => {
  const upper: Serdes<string> = {
    serialize: async value => value?.toUpperCase(),
    deserialize: async text => text,
  }
  const ended = await make(async (text: string, context) =>
    context.runInChildContext('loud', child => child.step(async () => text), { serdes: upper }),
  )
  expect(ended).toEqual(
    succeeded(
      'TEA',
      `ContextStarted a "loud"
       StepStarted a>b
       StepSucceeded a>b = "tea"
       ContextSucceeded a "loud" = TEA
       InvocationCompleted`,
    ),
  )
})

it('a child context can fail without an operation', async () => {
  const ended = await run(async (_event, context) =>
    context.runInChildContext('fails', async () => {
      throw new RangeError('too cold')
    }),
  )
  expect(ended).toEqual(
    failed(
      'ChildContextError: too cold',
      `ContextStarted a "fails"
       ContextFailed a "fails" RangeError: too cold
       InvocationCompleted`,
    ),
  )
})

it('a child context can return null', async () => {
  const ended = await run(async (_event, context) => context.runInChildContext('empty', async () => null))
  expect(ended).toEqual(
    succeeded(
      null,
      `ContextStarted a "empty"
       ContextSucceeded a "empty" = null
       InvocationCompleted`,
    ),
  )
})

it('a child context without an operation does not run again either', async () => {
  let calls = 0
  const ended = await make(async (text: string, context) => {
    const made = await context.runInChildContext('log', async child => {
      child.logger.info(`call ${++calls}`)
      return text
    })
    await context.wait({ seconds: 1 })
    return made
  })
  expect(calls).toBe(1)
  expect(ended).toEqual(
    succeeded(
      'tea',
      `ContextStarted a "log"
       ContextSucceeded a "log" = "tea"
       WaitStarted b 1 s
       InvocationCompleted
       WaitSucceeded b 1 s
       InvocationCompleted`,
    ),
  )
})

it('waits inside a child context and after it each end an invocation', async () => {
  const ended = await make(async (text: string, context) => {
    const made = await context.runInChildContext('both', async child => {
      const leaves = await child.step(async () => text)
      await child.wait({ seconds: 1 })
      return leaves
    })
    const poured = await context.step(async () => made)
    await context.wait({ seconds: 2 })
    return poured
  })
  expect(ended).toEqual(
    succeeded(
      'tea',
      `ContextStarted a "both"
       StepStarted a>b
       StepSucceeded a>b = "tea"
       WaitStarted a>c 1 s
       InvocationCompleted
       WaitSucceeded a>c 1 s
       ContextSucceeded a "both" = "tea"
       StepStarted d
       StepSucceeded d = "tea"
       WaitStarted e 2 s
       InvocationCompleted
       WaitSucceeded e 2 s
       InvocationCompleted`,
    ),
  )
})

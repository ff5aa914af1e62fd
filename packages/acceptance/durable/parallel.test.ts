import type { DurableContext } from '@aws/durable-execution-sdk-js'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { batchHistory, type Completion, functionsOf, operations } from './testing/batches.ts'
import { durablePlatform, failed, succeeded } from './testing/required.ts'

const { run, start, stop } = durablePlatform()
beforeAll(start)
afterAll(stop)

const { parallel } = operations
const end = '\nInvocationCompleted'

it('branches have the names that the function gives them', async () => {
  const [tea, milk] = functionsOf(['tea', 'milk'])
  const ended = await run(async (_event, context) => {
    const branches = [
      { name: 'first', func: tea! },
      { name: 'second', func: milk! },
    ]
    const result = await context.parallel('drinks', branches, { maxConcurrency: 1 })
    return result.getResults()
  })
  const named = { ...parallel, nameOf: (index: number) => ['first', 'second'][index]! }
  expect(ended).toEqual(
    succeeded(['tea', 'milk'], batchHistory(named, ['"tea"', '"milk"'], { name: ' "drinks"' }) + end),
  )
})

it('each branch returns a value of its own type', async () => {
  const ended = await run(async (_event, context) => {
    const branches = ['tea', 42, { milk: true }].map(value => async () => value)
    const result = await parallel.run<unknown>(context, branches)
    return result.getResults()
  })
  expect(ended).toEqual(
    succeeded(['tea', 42, { milk: true }], batchHistory(parallel, ['"tea"', '42', '{"milk":true}']) + end),
  )
})

const completions: Readonly<Record<string, Completion>> = {
  'after all branches, where all of them may fail': {
    ...{ config: { toleratedFailureCount: 3 }, values: ['!', '!', '!'] },
    ...{ reason: 'ALL_COMPLETED', ran: 3 },
  },
  'after all branches, where too few have succeeded': {
    ...{ config: { minSuccessful: 3 }, values: ['1', '!', '3'] },
    ...{ reason: 'ALL_COMPLETED', ran: 3 },
  },
  'at the rule that is met first, of two': {
    ...{ config: { minSuccessful: 3, toleratedFailureCount: 1 }, values: ['!', '!', 'late', 'later'] },
    ...{ reason: 'FAILURE_TOLERANCE_EXCEEDED', ran: 2 },
  },
  'after all branches, where exactly the tolerated part has failed': {
    ...{ config: { toleratedFailurePercentage: 25 }, values: ['!', '2', '3', '4'] },
    ...{ reason: 'ALL_COMPLETED', ran: 4 },
  },
}

it.each(Object.entries(completions))(
  'parallel branches end %s',
  async (_title, { config, values, reason, ran }) => {
    const ended = await run(async (_event, context) => {
      const result = await parallel.run(context, functionsOf(values), { completionConfig: config })
      const { completionReason, status, successCount, failureCount, totalCount } = result
      return { completionReason, status, successCount, failureCount, totalCount }
    })
    const known = values.slice(0, ran)
    const failureCount = known.filter(value => value === '!').length
    expect(ended).toEqual(
      succeeded(
        {
          ...{ completionReason: reason, status: 'FAILED', totalCount: ran },
          ...{ successCount: ran - failureCount, failureCount },
        },
        batchHistory(
          parallel,
          known.map(value => (value === '!' ? value : JSON.stringify(value))),
        ) + end,
      ),
    )
  },
)

it('a concurrency of 0 ends the execution before a branch begins', async () => {
  const ended = await run(async (_event, context) =>
    parallel.run(context, functionsOf(['1', '2']), { maxConcurrency: 0 }),
  )
  expect(ended).toEqual(
    failed(
      'Error: Invalid maxConcurrency: 0. Must be a positive number or undefined for unlimited concurrency.',
      'InvocationCompleted',
    ),
  )
})

it('the result tells branches that succeeded from those that failed', async () => {
  const ended = await run(async (_event, context) => {
    const result = await parallel.run(context, functionsOf(['1', '!', '3']), {
      completionConfig: { toleratedFailureCount: 1 },
    })
    return {
      hasFailure: result.hasFailure,
      succeeded: result.succeeded().map(({ index }) => index),
      failed: result.failed().map(({ index }) => index),
      errors: result.getErrors().map(({ message }) => message),
    }
  })
  expect(ended).toEqual(
    succeeded(
      { hasFailure: true, succeeded: [0, 2], failed: [1], errors: ['refused'] },
      batchHistory(parallel, ['"1"', '!', '"3"']) + end,
    ),
  )
})

it('a branch can have branches', async () => {
  const ended = await run(async (_event, context) => {
    const outer = await parallel.run(context, [
      async (child: DurableContext) => {
        const inner = await parallel.run(
          child,
          ['1', '2'].map(value => async (grandchild: DurableContext) => grandchild.step(async () => value)),
        )
        return inner.getResults()
      },
    ])
    return outer.getResults()
  })
  const [one, two] = [0, 1].map(index => `ParallelBranch "${parallel.nameOf(index)}"`)
  expect(ended).toEqual(
    succeeded(
      [['1', '2']],
      `ContextStarted a Parallel
       ContextStarted a>b ${one}
       ContextStarted b>c Parallel
       ContextStarted c>d ${one}
       StepStarted d>e
       StepSucceeded d>e = "1"
       ContextSucceeded c>d ${one} = "1"
       ContextStarted c>f ${two}
       StepStarted f>g
       StepSucceeded f>g = "2"
       ContextSucceeded c>f ${two} = "2"
       ContextSucceeded b>c Parallel
       ContextSucceeded a>b ${one} = ["1","2"]
       ContextSucceeded a Parallel
       InvocationCompleted`,
    ),
  )
})

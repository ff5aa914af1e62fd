import { type DurableContext, NestingType } from '@aws/durable-execution-sdk-js'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { batchHistory, type Completion, failure, functionsOf, operations } from './testing/batches.ts'
import { durablePlatform, failed, succeeded } from './testing/required.ts'

const { run, start, stop } = durablePlatform()
beforeAll(start)
afterAll(stop)

const end = '\nInvocationCompleted'

/** Rules of when a batch ends. */
const completions: Readonly<Record<string, Completion>> = {
  'at the first failure, where none is tolerated': {
    ...{ config: { toleratedFailureCount: 0 }, values: ['ok', '!', 'late'] },
    ...{ reason: 'FAILURE_TOLERANCE_EXCEEDED', ran: 2 },
  },
  'when enough items have succeeded': {
    ...{ config: { minSuccessful: 2 }, values: ['1', '2', '3', '4'] },
    ...{ reason: 'MIN_SUCCESSFUL_REACHED', ran: 2 },
  },
  'after all items, where as many fail as are tolerated': {
    ...{ config: { toleratedFailureCount: 1 }, values: ['1', '!', '3'] },
    ...{ reason: 'ALL_COMPLETED', ran: 3 },
  },
  'when more items have failed than are tolerated': {
    ...{ config: { toleratedFailureCount: 1 }, values: ['!', '!', 'late'] },
    ...{ reason: 'FAILURE_TOLERANCE_EXCEEDED', ran: 2 },
  },
  'when a larger part of the items has failed than is tolerated': {
    ...{ config: { toleratedFailurePercentage: 25 }, values: ['!', '!', 'late', 'later'] },
    ...{ reason: 'FAILURE_TOLERANCE_EXCEEDED', ran: 2 },
  },
}

describe.each(Object.entries(operations))('%s', (_name, operation) => {
  const { batch, item, nameOf } = operation
  const first = `a>b ${item} "${nameOf(0)}"`

  it('the items run in contexts of their own, one after another', async () => {
    const ended = await run(async (_event, context) => {
      const result = await operation.run(
        context,
        ['tea', 'milk'].map(value => async (child: DurableContext) => child.step(async () => value)),
      )
      return result.getResults()
    })
    const second = `a>d ${item} "${nameOf(1)}"`
    expect(ended).toEqual(
      succeeded(
        ['tea', 'milk'],
        `ContextStarted a ${batch}
         ContextStarted ${first}
         StepStarted b>c
         StepSucceeded b>c = "tea"
         ContextSucceeded ${first} = "tea"
         ContextStarted ${second}
         StepStarted d>e
         StepSucceeded d>e = "milk"
         ContextSucceeded ${second} = "milk"
         ContextSucceeded a ${batch}
         InvocationCompleted`,
      ),
    )
  })

  it('the items need no operation, and the batch no name', async () => {
    const ended = await run(async (_event, context) => {
      const result = await operation.run(context, functionsOf(['tea', 'milk']))
      return result.getResults()
    })
    expect(ended).toEqual(succeeded(['tea', 'milk'], batchHistory(operation, ['"tea"', '"milk"']) + end))
  })

  it('a batch without items ends at once', async () => {
    const ended = await run(async (_event, context) => {
      const { completionReason, totalCount } = await operation.run(context, [])
      return { completionReason, totalCount }
    })
    expect(ended).toEqual(
      succeeded({ completionReason: 'ALL_COMPLETED', totalCount: 0 }, batchHistory(operation, []) + end),
    )
  })

  it.each(Object.entries(completions))('a batch ends %s', async (_title, { config, values, reason, ran }) => {
    const ended = await run(async (_event, context) => {
      const result = await operation.run(context, functionsOf(values), { completionConfig: config })
      const { completionReason, status, successCount, failureCount, totalCount } = result
      return { completionReason, status, successCount, failureCount, totalCount }
    })
    const known = values.slice(0, ran)
    const failureCount = known.filter(value => value === '!').length
    expect(ended).toEqual(
      succeeded(
        {
          ...{ completionReason: reason, status: failureCount > 0 ? 'FAILED' : 'SUCCEEDED' },
          ...{ successCount: ran - failureCount, failureCount, totalCount: ran },
        },
        batchHistory(
          operation,
          known.map(value => (value === '!' ? value : JSON.stringify(value))),
        ) + end,
      ),
    )
  })

  it('a function can let the execution fail with the first error of a batch', async () => {
    const ended = await run(async (_event, context) => {
      const result = await operation.run(context, functionsOf(['!', 'late']), {
        completionConfig: { toleratedFailureCount: 0 },
      })
      result.throwIfError()
    })
    expect(ended).toEqual(failed('ChildContextError: refused', batchHistory(operation, ['!']) + end))
    expect(ended.history).toContainEqual(expect.stringContaining(failure))
  })

  it('the results are in the order of the items, also where two run at once', async () => {
    const { history, ...ended } = await run(async (_event, context) => {
      const result = await operation.run(context, functionsOf(['1', '2', '3']), { maxConcurrency: 2 })
      return result.getResults()
    })
    expect(ended).toEqual({ status: 'SUCCEEDED', result: ['1', '2', '3'] })
    expect(history[0]).toBe(`ContextStarted a ${batch}`)
    expect(history.filter(line => line.includes(item))).toHaveLength(6)
  })

  it('the items of a flat batch have no contexts', async () => {
    const ended = await run(async (_event, context) => {
      const result = await operation.run(
        context,
        ['tea', 'milk'].map(value => async (child: DurableContext) => child.step(async () => value)),
        { nesting: NestingType.FLAT },
      )
      return result.getResults()
    })
    expect(ended).toEqual(
      succeeded(
        ['tea', 'milk'],
        `ContextStarted a ${batch}
         StepStarted a>b
         StepSucceeded a>b = "tea"
         StepStarted a>c
         StepSucceeded a>c = "milk"
         ContextSucceeded a ${batch}
         InvocationCompleted`,
      ),
    )
  })

  it('a wait in one item ends the invocation, and the item before it does not run again', async () => {
    let calls = 0
    const ended = await run(async (_event, context) => {
      const result = await operation.run<unknown>(context, [
        async (child: DurableContext) => child.step(async () => ++calls),
        async (child: DurableContext) => {
          await child.wait({ seconds: 2 })
          return child.step(async () => 'after')
        },
      ])
      return result.getResults()
    })
    const second = `a>d ${item} "${nameOf(1)}"`
    expect(calls).toBe(1)
    expect(ended).toEqual(
      succeeded(
        [1, 'after'],
        `ContextStarted a ${batch}
         ContextStarted ${first}
         StepStarted b>c
         StepSucceeded b>c = 1
         ContextSucceeded ${first} = 1
         ContextStarted ${second}
         WaitStarted d>e 2 s
         InvocationCompleted
         WaitSucceeded d>e 2 s
         StepStarted d>f
         StepSucceeded d>f = "after"
         ContextSucceeded ${second} = "after"
         ContextSucceeded a ${batch}
         InvocationCompleted`,
      ),
    )
  })

  it('the result of each item is recorded in the form that the function chooses', async () => {
    const itemSerdes = {
      serialize: async (value: string | undefined) => `box:${value}`,
      deserialize: async (text: string | undefined) => text?.slice('box:'.length),
    }
    const ended = await run(async (_event, context) => {
      const result = await operation.run(context, functionsOf(['tea', 'milk']), { itemSerdes })
      return result.getResults()
    })
    expect(ended).toEqual(succeeded(['tea', 'milk'], batchHistory(operation, ['box:tea', 'box:milk']) + end))
  })
})

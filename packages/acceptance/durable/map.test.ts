import type { BatchResult, DurableContext, MapConfig } from '@aws/durable-execution-sdk-js'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { batchHistory, functionsOf, operations } from './testing/batches.ts'
import { durablePlatform, succeeded } from './testing/required.ts'

const { run, start, stop } = durablePlatform()
beforeAll(start)
afterAll(stop)

const { map } = operations
const maxConcurrency = 1
const end = '\nInvocationCompleted'
const waited = `
       WaitStarted d 1 s
       InvocationCompleted
       WaitSucceeded d 1 s
       InvocationCompleted`

it('the function of a map gets each item and its place in the list', async () => {
  const ended = await run(
    async (items: number[], context) => {
      const result = await context.map(items, async (_child, item, index) => item + index, { maxConcurrency })
      return result.getResults()
    },
    { input: [10, 20, 30] },
  )
  expect(ended).toEqual(succeeded([10, 21, 32], batchHistory(map, ['10', '21', '32']) + end))
})

it('the items of a map have the names that the function gives them', async () => {
  const ended = await run(
    async (items: number[], context) => {
      const itemNamer = (item: number) => `number ${item}`
      const result = await context.map('tens', items, async (_child, item) => item * 10, {
        ...{ maxConcurrency, itemNamer },
      })
      return result.getResults()
    },
    { input: [1, 2] },
  )
  const named = { ...map, nameOf: (index: number) => `number ${index + 1}` }
  expect(ended).toEqual(succeeded([10, 20], batchHistory(named, ['10', '20'], { name: ' "tens"' }) + end))
})

it('a map whose results are too large together is recorded without them', async () => {
  const ended = await run(async (_event, context) => {
    const items = ['a', 'b', 'c', 'd']
    const result = await context.map(items, async (_child, item) => item.repeat(70_000), { maxConcurrency })
    return { successCount: result.successCount, totalCount: result.totalCount }
  })
  const large = Array<string>(4).fill('70002 characters')
  expect(ended).toEqual(succeeded({ successCount: 4, totalCount: 4 }, batchHistory(map, large) + end))
})

/** Runs a map, then waits. */
async function mapThenWait<Value>(
  context: DurableContext,
  values: readonly string[],
  config: Omit<MapConfig<unknown, string>, 'itemNamer'>,
  read: (result: BatchResult<string>) => Value,
) {
  const result = await map.run(context, functionsOf(values), config)
  await context.wait({ seconds: 1 })
  return read(result)
}

it('a map that has succeeded does not run again after a wait', async () => {
  const ended = await run(async (_event, context) =>
    mapThenWait(context, ['A', 'B'], {}, result => result.getResults()),
  )
  expect(ended).toEqual(succeeded(['A', 'B'], batchHistory(map, ['"A"', '"B"']) + waited))
})

it('a map with a tolerated failure does not run again after a wait', async () => {
  const completionConfig = { toleratedFailureCount: 1 }
  const ended = await run(async (_event, context) =>
    mapThenWait(context, ['ok', '!'], { completionConfig }, result => {
      const { completionReason, status, successCount, failureCount, totalCount } = result
      return { completionReason, status, successCount, failureCount, totalCount }
    }),
  )
  expect(ended).toEqual(
    succeeded(
      {
        ...{ completionReason: 'ALL_COMPLETED', status: 'FAILED' },
        ...{ successCount: 1, failureCount: 1, totalCount: 2 },
      },
      batchHistory(map, ['"ok"', '!']) + waited,
    ),
  )
})

/** Records the results of a whole map as one text. */
const serdes = {
  serialize: async (result: BatchResult<string> | undefined) => `all:${result?.getResults().join()}`,
  deserialize: async (text: string | undefined) => {
    const results = text!.slice('all:'.length).split(',')
    return { getResults: () => results } as BatchResult<string>
  },
}

it('the result of a whole map is recorded in the form that the function chooses', async () => {
  const ended = await run(async (_event, context) => {
    const result = await map.run(context, functionsOf(['A', 'B']), { serdes })
    return result.getResults()
  })
  expect(ended).toEqual(
    succeeded(['A', 'B'], batchHistory(map, ['"A"', '"B"'], { result: ' = all:A,B' }) + end),
  )
})

it('the result of a whole map is read in the form that the function chooses', async () => {
  const ended = await run(async (_event, context) =>
    mapThenWait(context, ['A', 'B'], { serdes }, result => result.getResults()),
  )
  expect(ended).toEqual(
    succeeded(['A', 'B'], batchHistory(map, ['"A"', '"B"'], { result: ' = all:A,B' }) + waited),
  )
})

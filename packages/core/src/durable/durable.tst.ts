import type { BatchResult } from '@aws/durable-execution-sdk-js'
import { expect, test } from 'tstyche'
import { callback, durable, map, step, wait } from './index.ts'

test('operations have the types of what they run', async () => {
  expect(await step('count', () => 1)).type.toBe<number>()
  expect(await step('count', async ({ attempt }) => `${attempt}`)).type.toBe<string>()
  expect(await wait('pause', { hours: 1 })).type.toBe<void>()
  expect(await callback('ask', () => {})).type.toBe<string>()
  expect(await callback<{ yes: boolean }>('ask', async () => {})).type.toBe<{ yes: boolean }>()
  const batch = await map('each', ['a'], (item, index) => {
    expect(item).type.toBe<string>()
    expect(index).type.toBe<number>()
    return index
  })
  expect(batch).type.toBe<BatchResult<number>>()
})

test('operations have names, and durations have units', () => {
  // @ts-expect-error Expected 2-3 arguments, but got 1.
  step(() => 1)
  // @ts-expect-error 'minute' does not exist in type
  wait('pause', { minute: 1 })
  // @ts-expect-error is not assignable to parameter of type
  durable({})
})

import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { durablePlatform, succeeded } from './testing/required.ts'

const { run, start, stop } = durablePlatform()
beforeAll(start)
afterAll(stop)

it('a wait ends the invocation, and the next one begins when its time is over', async () => {
  const ended = await run(async (_event, context) => {
    await context.wait({ seconds: 2 })
  })
  expect(ended).toEqual(
    succeeded(
      undefined,
      `WaitStarted a 2 s
       InvocationCompleted
       WaitSucceeded a 2 s
       InvocationCompleted`,
    ),
  )
})

it('a wait has the name that the function gives it', async () => {
  const ended = await run(async (_event, context) => {
    await context.wait('cool off', { seconds: 2 })
  })
  expect(ended).toEqual(
    succeeded(
      undefined,
      `WaitStarted a "cool off" 2 s
       InvocationCompleted
       WaitSucceeded a "cool off" 2 s
       InvocationCompleted`,
    ),
  )
})

it('two waits follow each other, each with an invocation after it', async () => {
  const ended = await run(async (_event, context) => {
    await context.wait('first', { seconds: 2 })
    await context.wait('second', { seconds: 3 })
    return { waits: 2 }
  })
  expect(ended).toEqual(
    succeeded(
      { waits: 2 },
      `WaitStarted a "first" 2 s
       InvocationCompleted
       WaitSucceeded a "first" 2 s
       WaitStarted b "second" 3 s
       InvocationCompleted
       WaitSucceeded b "second" 3 s
       InvocationCompleted`,
    ),
  )
})

it.each([
  ['minutes', 60],
  ['hours', 3600],
] as const)('a wait in %s is recorded in seconds', async (unit, seconds) => {
  const ended = await run(async (_event, context) => {
    await context.wait({ [unit]: 1 } as never)
  })
  expect(ended).toEqual(
    succeeded(
      undefined,
      `WaitStarted a ${seconds} s
       InvocationCompleted
       WaitSucceeded a ${seconds} s
       InvocationCompleted`,
    ),
  )
})

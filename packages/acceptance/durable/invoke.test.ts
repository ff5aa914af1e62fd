import type { DurableContext, Serdes } from '@aws/durable-execution-sdk-js'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { durablePlatform, failed, succeeded } from './testing/required.ts'

const { run, start, stop } = durablePlatform()
beforeAll(start)
afterAll(stop)

const echo = 'echo:$LATEST'
const broken = 'broken:$LATEST'

/** A payload. The SDK takes a text at this place for the name of a function. */
const tea = { drink: 'tea' }
const teaText = JSON.stringify(tea)

/** The history of one call of a function that returns what it gets. */
const echoed = (payload: string, name = '', tenant = '') =>
  `ChainedInvokeStarted a${name} echo version $LATEST durable${tenant} with ${payload}
   InvocationCompleted
   ChainedInvokeSucceeded a${name} = ${payload}
   InvocationCompleted`

const brokenCall = `ChainedInvokeStarted a broken version $LATEST durable with null
       InvocationCompleted
       ChainedInvokeFailed a RangeError: the callee fails`

it('a function calls another one with its event, and gets what that returns', async () => {
  const ended = await run(async (event, context) => context.invoke(echo, event), { input: tea })
  expect(ended).toEqual(succeeded(tea, echoed(teaText)))
})

it('both events of a call have its name', async () => {
  const ended = await run(async ({ name, order }, context) => context.invoke(name, echo, order), {
    input: { name: 'order', order: tea },
  })
  expect(ended).toEqual(succeeded(tea, echoed(teaText, ' "order"')))
})

it('a call sends and returns objects and lists as they are', async () => {
  const input = { order: { drink: 'tea', sizes: [1, 2, 3] }, from: 'test' }
  const ended = await run(async (event, context) => context.invoke(echo, event), { input })
  expect(ended).toEqual(succeeded(input, echoed(JSON.stringify(input))))
})

it('a call can send and return null', async () => {
  const ended = await run(async (_event, context) => context.invoke(echo, null))
  expect(ended).toEqual(succeeded(null, echoed('null')))
})

it('a call fails with its function, and the execution with it', async () => {
  const ended = await run(async (_event, context) => context.invoke(broken, null))
  expect(ended).toEqual(failed('InvokeError: the callee fails', `${brokenCall}\nInvocationCompleted`))
})

it('a function can catch the error of a call', async () => {
  const ended = await run(async (_event, context) => {
    try {
      return await context.invoke(broken, null)
    } catch {
      return 'instead'
    }
  })
  expect(ended).toEqual(succeeded('instead', `${brokenCall}\nInvocationCompleted`))
})

it('a call sends a payload near the largest size', async () => {
  const large = { text: 'x'.repeat(200_000) }
  const ended = await run(async (_event, context) => {
    const result = await context.invoke<typeof large, typeof large>(echo, large)
    return result.text === large.text
  })
  expect(ended).toEqual(succeeded(true, echoed('200011 characters')))
})

it('a call has the tenant that the function names', async () => {
  const ended = await run(async ({ tenantId, order }, context) => context.invoke(echo, order, { tenantId }), {
    input: { tenantId: 'blue', order: tea },
  })
  expect(ended).toEqual(succeeded(tea, echoed(teaText, '', ' tenant blue')))
})

const waited = `WaitStarted b 1 s
       InvocationCompleted
       WaitSucceeded b 1 s
       InvocationCompleted`

it('a call that has succeeded is not made again', async () => {
  const ended = await run(async (_event, context) => {
    const result = await context.invoke(echo, tea)
    await context.wait({ seconds: 1 })
    return result
  })
  expect(ended).toEqual(succeeded(tea, echoed(teaText).replace(/InvocationCompleted$/, waited)))
})

it('a call that has failed throws its error again, and is not made again', async () => {
  const caught: string[] = []
  const ended = await run(async (_event, context) => {
    try {
      await context.invoke(broken, null)
    } catch (error) {
      caught.push((error as Error).message)
    }
    await context.wait({ seconds: 1 })
  })
  expect(caught).toEqual(['the callee fails', 'the callee fails'])
  expect(ended).toEqual(succeeded(undefined, `${brokenCall}\n${waited}`))
})

it('a call follows a step', async () => {
  const ended = await run(async (_event, context) => {
    const made = await context.step(async () => tea)
    return context.invoke(echo, made)
  })
  expect(ended).toEqual(
    succeeded(
      tea,
      `StepStarted a
       StepSucceeded a = ${teaText}
       ChainedInvokeStarted b echo version $LATEST durable with ${teaText}
       InvocationCompleted
       ChainedInvokeSucceeded b = ${teaText}
       InvocationCompleted`,
    ),
  )
})

it('a step follows a call', async () => {
  const ended = await run(async (_event, context) => {
    const made = await context.invoke<typeof tea, typeof tea>(echo, tea)
    return context.step(async () => `${made.drink} with milk`)
  })
  expect(ended).toEqual(
    succeeded(
      'tea with milk',
      echoed(teaText).replace(
        /InvocationCompleted$/,
        `StepStarted b
         StepSucceeded b = "tea with milk"
         InvocationCompleted`,
      ),
    ),
  )
})

it('a call in a child context belongs to it', async () => {
  const ended = await run(async (_event, context) =>
    context.runInChildContext((child: DurableContext) => child.invoke(echo, tea)),
  )
  expect(ended).toEqual(
    succeeded(
      tea,
      `ContextStarted a
       ChainedInvokeStarted a>b echo version $LATEST durable with ${teaText}
       InvocationCompleted
       ChainedInvokeSucceeded a>b = ${teaText}
       ContextSucceeded a = ${teaText}
       InvocationCompleted`,
    ),
  )
})

it('two calls follow each other, each with an invocation after it', async () => {
  const ended = await run(async (_event, context) => {
    const first = await context.invoke(echo, 1)
    const second = await context.invoke(echo, 2)
    return [first, second]
  })
  expect(ended).toEqual(
    succeeded(
      [1, 2],
      `ChainedInvokeStarted a echo version $LATEST durable with 1
       InvocationCompleted
       ChainedInvokeSucceeded a = 1
       ChainedInvokeStarted b echo version $LATEST durable with 2
       InvocationCompleted
       ChainedInvokeSucceeded b = 2
       InvocationCompleted`,
    ),
  )
})

const upper: Serdes<unknown> = {
  serialize: async value => JSON.stringify(value).toUpperCase(),
  deserialize: async text => JSON.parse(text!.toUpperCase()),
}

it('the payload of a call is sent in the form that the function chooses', async () => {
  const ended = await run(async (_event, context) =>
    context.invoke(echo, { drink: 'tea' }, { payloadSerdes: upper }),
  )
  expect(ended).toEqual(succeeded({ DRINK: 'TEA' }, echoed('{"DRINK":"TEA"}')))
})

it('the result of a call is read in the form that the function chooses', async () => {
  const ended = await run(async (event, context) => context.invoke(echo, event, { resultSerdes: upper }), {
    input: tea,
  })
  expect(ended).toEqual(succeeded({ DRINK: 'TEA' }, echoed(teaText)))
})

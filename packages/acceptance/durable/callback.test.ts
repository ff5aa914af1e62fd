import type { DurableContext, Duration, Serdes } from '@aws/durable-execution-sdk-js'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Action, durablePlatform, failed, succeeded } from './testing/required.ts'

const { run, start, stop } = durablePlatform()
beforeAll(start)
afterAll(stop)

/** What a callback can be given. */
interface Options {
  readonly timeout?: Duration
  readonly heartbeatTimeout?: Duration
  readonly serdes?: Pick<Serdes<unknown>, 'deserialize'>
}

const yes: Action = { succeed: 'approval', with: '"yes"' }
const refused: Action = { fail: 'approval', with: { ErrorType: 'Refused', ErrorMessage: 'too dear' } }

/** Asks for an approval, does something, and then waits for the answer. */
const asking =
  (options?: Options, between?: (context: DurableContext) => unknown) =>
  async (_event: unknown, context: DurableContext) => {
    const [answer] = await context.createCallback('approval', options)
    await between?.(context)
    return answer
  }

/** Runs a function that asks, with what happens outside. */
const ask = (actions: readonly Action[], ...options: Parameters<typeof asking>) =>
  run(asking(...options), { actions })

it('a function waits for a callback, whose name the event gives', async () => {
  const ended = await run(
    async (name: string, context) => {
      const [answer] = await context.createCallback(name)
      return answer
    },
    { input: 'for Ada', actions: [{ succeed: 'for Ada', with: '"yes"' }] },
  )
  expect(ended).toEqual(
    succeeded(
      '"yes"',
      `CallbackStarted a "for Ada"
       InvocationCompleted
       CallbackSucceeded a "for Ada" = "yes"
       InvocationCompleted`,
    ),
  )
})

it('a callback that succeeds gives the function its result', async () => {
  expect(await ask([yes])).toEqual(
    succeeded(
      '"yes"',
      `CallbackStarted a "approval"
       InvocationCompleted
       CallbackSucceeded a "approval" = "yes"
       InvocationCompleted`,
    ),
  )
})

it('a callback without an answer times out, and the execution fails', async () => {
  expect(await ask([{ passSeconds: 5 }], { timeout: { seconds: 5 } })).toEqual(
    failed(
      'CallbackTimeoutError: Callback timed out',
      `CallbackStarted a "approval" timeout 5 s
       InvocationCompleted
       CallbackTimedOut a "approval" Callback.Timeout: Callback timed out
       InvocationCompleted`,
    ),
  )
})

it('a callback without a heartbeat times out, and the execution fails', async () => {
  expect(await ask([{ passSeconds: 5 }], { heartbeatTimeout: { seconds: 5 } })).toEqual(
    failed(
      'CallbackTimeoutError: Callback timed out on heartbeat',
      `CallbackStarted a "approval" heartbeat 5 s
       InvocationCompleted
       CallbackTimedOut a "approval" Callback.Heartbeat: Callback timed out on heartbeat
       InvocationCompleted`,
    ),
  )
})

it('a heartbeat gives a callback its whole time again, and leaves no event', async () => {
  const later: Action = { passSeconds: 7, isQuiet: true }
  const actions = [later, { heartbeat: 'approval' }, later, yes]
  expect(await ask(actions, { heartbeatTimeout: { seconds: 10 } })).toEqual(
    succeeded(
      '"yes"',
      `CallbackStarted a "approval" heartbeat 10 s
       InvocationCompleted
       CallbackSucceeded a "approval" = "yes"
       InvocationCompleted`,
    ),
  )
})

it('a callback that fails ends the execution with its error', async () => {
  expect(await ask([refused])).toEqual(
    failed(
      'CallbackExternalError: too dear',
      `CallbackStarted a "approval"
       InvocationCompleted
       CallbackFailed a "approval" Refused: too dear
       InvocationCompleted`,
    ),
  )
})

it('a step runs while a callback is open, which then fails', async () => {
  const ended = await ask([refused], undefined, context => context.step(async () => 'mail'))
  expect(ended).toEqual(
    failed(
      'CallbackExternalError: too dear',
      `CallbackStarted a "approval"
       StepStarted b
       StepSucceeded b = "mail"
       InvocationCompleted
       CallbackFailed a "approval" Refused: too dear
       InvocationCompleted`,
    ),
  )
})

it('a step runs while a callback is open, which then times out', async () => {
  const ended = await ask([{ passSeconds: 5 }], { timeout: { seconds: 5 } }, context =>
    context.step(async () => 'mail'),
  )
  expect(ended).toEqual(
    failed(
      'CallbackTimeoutError: Callback timed out',
      `CallbackStarted a "approval" timeout 5 s
       StepStarted b
       StepSucceeded b = "mail"
       InvocationCompleted
       CallbackTimedOut a "approval" Callback.Timeout: Callback timed out
       InvocationCompleted`,
    ),
  )
})

it('an answer during a wait begins an invocation, and the end of the wait another', async () => {
  expect(await ask([yes], undefined, context => context.wait({ seconds: 5 }))).toEqual(
    succeeded(
      '"yes"',
      `CallbackStarted a "approval"
       WaitStarted b 5 s
       InvocationCompleted
       CallbackSucceeded a "approval" = "yes"
       InvocationCompleted
       WaitSucceeded b 5 s
       InvocationCompleted`,
    ),
  )
})

it('a failure during a wait begins an invocation, and the end of the wait another', async () => {
  expect(await ask([refused], undefined, context => context.wait({ seconds: 5 }))).toEqual(
    failed(
      'CallbackExternalError: too dear',
      `CallbackStarted a "approval"
       WaitStarted b 5 s
       InvocationCompleted
       CallbackFailed a "approval" Refused: too dear
       InvocationCompleted
       WaitSucceeded b 5 s
       InvocationCompleted`,
    ),
  )
})

it('a callback times out during a wait, and the function hears of it after the wait', async () => {
  const ended = await ask([{ passSeconds: 3 }], { timeout: { seconds: 3 } }, context =>
    context.wait({ seconds: 6 }),
  )
  expect(ended).toEqual(
    failed(
      'CallbackTimeoutError: Callback timed out',
      `CallbackStarted a "approval" timeout 3 s
       WaitStarted b 6 s
       InvocationCompleted
       CallbackTimedOut a "approval" Callback.Timeout: Callback timed out
       InvocationCompleted
       WaitSucceeded b 6 s
       InvocationCompleted`,
    ),
  )
})

/** Waits for an answer, then for two seconds. */
const thenWait = (options?: Options) => async (_event: unknown, context: DurableContext) => {
  const [answer] = await context.createCallback('approval', options)
  let text: unknown
  try {
    text = await answer
  } catch (error) {
    text = (error as Error).constructor.name
  }
  await context.wait({ seconds: 2 })
  return text
}

it('the answer of a callback stays known after a wait', async () => {
  expect(await run(thenWait(), { actions: [yes] })).toEqual(
    succeeded(
      '"yes"',
      `CallbackStarted a "approval"
       InvocationCompleted
       CallbackSucceeded a "approval" = "yes"
       WaitStarted b 2 s
       InvocationCompleted
       WaitSucceeded b 2 s
       InvocationCompleted`,
    ),
  )
})

it('a function can catch the failure of a callback, also after a wait', async () => {
  expect(await run(thenWait(), { actions: [refused] })).toEqual(
    succeeded(
      'CallbackExternalError',
      `CallbackStarted a "approval"
       InvocationCompleted
       CallbackFailed a "approval" Refused: too dear
       WaitStarted b 2 s
       InvocationCompleted
       WaitSucceeded b 2 s
       InvocationCompleted`,
    ),
  )
})

it('a function can catch that a callback timed out, also after a wait', async () => {
  const ended = await run(thenWait({ timeout: { seconds: 3 } }), { actions: [{ passSeconds: 3 }] })
  expect(ended).toEqual(
    succeeded(
      'CallbackTimeoutError',
      `CallbackStarted a "approval" timeout 3 s
       InvocationCompleted
       CallbackTimedOut a "approval" Callback.Timeout: Callback timed out
       WaitStarted b 2 s
       InvocationCompleted
       WaitSucceeded b 2 s
       InvocationCompleted`,
    ),
  )
})

it.each([
  [
    'an object with a time',
    '{"id":7,"at":"2026-01-01T00:00:00.000Z"}',
    (text: string) => {
      const { id, at } = JSON.parse(text)
      return { id, seconds: new Date(at).getTime() / 1000 }
    },
    { id: 7, seconds: 1_767_225_600 },
  ],
  ['a number', '42', (text: string) => Number(text) * 2, 84],
])('the function reads an answer as %s', async (_title, answer, read, expected) => {
  const serdes = { deserialize: async (text: string | undefined) => read(text!) as never }
  expect(await ask([{ succeed: 'approval', with: answer }], { serdes })).toEqual(
    succeeded(
      expected,
      `CallbackStarted a "approval"
       InvocationCompleted
       CallbackSucceeded a "approval" = ${answer}
       InvocationCompleted`,
    ),
  )
})

it('a function asks for a second answer after the first', async () => {
  const ended = await run(
    async (_event, context) => {
      const [one] = await context.createCallback('one')
      const first = await one
      const [two] = await context.createCallback('two')
      return [first, await two]
    },
    {
      actions: [
        { succeed: 'one', with: '1' },
        { succeed: 'two', with: '2' },
      ],
    },
  )
  expect(ended).toEqual(
    succeeded(
      ['1', '2'],
      `CallbackStarted a "one"
       InvocationCompleted
       CallbackSucceeded a "one" = 1
       CallbackStarted b "two"
       InvocationCompleted
       CallbackSucceeded b "two" = 2
       InvocationCompleted`,
    ),
  )
})

it.each(['first', 'second'])(
  'a function with two open callbacks waits for the %s one before the other',
  async which => {
    const ended = await run(
      async (_event, context) => {
        const [one] = await context.createCallback('one')
        const [two] = await context.createCallback('two')
        if (which === 'second') await two
        const first = await one
        return [first, await two]
      },
      {
        actions: [
          { succeed: 'one', with: '1' },
          { succeed: 'two', with: '2' },
        ],
      },
    )
    expect(ended).toEqual(
      succeeded(
        ['1', '2'],
        `CallbackStarted a "one"
       CallbackStarted b "two"
       InvocationCompleted
       CallbackSucceeded a "one" = 1
       InvocationCompleted
       CallbackSucceeded b "two" = 2
       InvocationCompleted`,
      ),
    )
  },
)

import type { Duration, Serdes } from '@aws/durable-execution-sdk-js'
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

const yes: Action = { succeed: 'approval', with: 'yes' }
const refused: Action = { fail: 'approval', with: { ErrorType: 'Refused', ErrorMessage: 'too dear' } }
const submit = async () => {}

/** Runs a function that waits for one callback. */
const ask = (actions: readonly Action[], options?: Options) =>
  run(async (_event, context) => context.waitForCallback('approval', submit, options), { actions })

/** The first invocation of a function that waits for a callback. */
const asked = (limits = '') => `ContextStarted a WaitForCallback "approval"
       CallbackStarted a>b${limits}
       StepStarted a>c
       StepSucceeded a>c
       InvocationCompleted`

const approved = `${asked()}
       CallbackSucceeded a>b = yes
       ContextSucceeded a WaitForCallback "approval" = "yes"
       InvocationCompleted`

it('the submitter gets the id of the callback, and its answer is the result', async () => {
  const ids: string[] = []
  const ended = await run(
    async (name: string, context) => context.waitForCallback(name, async id => void ids.push(id)),
    { input: 'approval', actions: [yes] },
  )
  expect(ids).toEqual([expect.stringMatching(/./)])
  expect(ended).toEqual(succeeded('yes', approved))
})

it('both events around a callback have its name', async () => {
  expect(await ask([yes])).toEqual(succeeded('yes', approved))
})

it('a callback needs no name', async () => {
  const ended = await run(async (_event, context) => context.waitForCallback(submit), {
    actions: [{ ...yes, succeed: '' }],
  })
  expect(ended).toEqual(succeeded('yes', approved.replaceAll(' "approval"', '')))
})

const refusal = `CallbackFailed a>b Refused: too dear
       ContextFailed a WaitForCallback "approval" CallbackExternalError: too dear
       InvocationCompleted`

it('a failure from outside ends the execution', async () => {
  expect(await ask([refused])).toEqual(failed('CallbackExternalError: too dear', `${asked()}\n${refusal}`))
})

const late = (kind: string, message: string) => `CallbackTimedOut a>b Callback.${kind}: ${message}
       ContextFailed a WaitForCallback "approval" CallbackTimeoutError: ${message}
       InvocationCompleted`

it('a callback that nobody answers in its time ends the execution', async () => {
  expect(await ask([{ passSeconds: 3 }], { timeout: { seconds: 3 } })).toEqual(
    failed(
      'CallbackTimeoutError: Callback timed out',
      `${asked(' timeout 3 s')}\n${late('Timeout', 'Callback timed out')}`,
    ),
  )
})

it('a function can catch a failure from outside', async () => {
  const ended = await run(
    async (_event, context) => {
      try {
        return await context.waitForCallback('approval', submit)
      } catch {
        return 'instead'
      }
    },
    { actions: [refused] },
  )
  expect(ended).toEqual(succeeded('instead', `${asked()}\n${refusal}`))
})

it('a submitter that always fails ends the execution after its last attempt', async () => {
  const retryStrategy = (_error: Error, attempt: number) =>
    attempt < 2 ? { shouldRetry: true, delay: { seconds: 1 } } : { shouldRetry: false }
  const ended = await run(async (_event, context) =>
    context.waitForCallback(
      'approval',
      async () => {
        throw new Error('no mail')
      },
      { retryStrategy },
    ),
  )
  expect(ended).toEqual(
    failed(
      'CallbackSubmitterError: no mail',
      `ContextStarted a WaitForCallback "approval"
       CallbackStarted a>b
       StepStarted a>c
       StepFailed a>c Error: no mail again in 1 s
       InvocationCompleted
       StepStarted a>c
       StepFailed a>c Error: no mail attempt 2
       ContextFailed a WaitForCallback "approval" StepError: no mail
       InvocationCompleted`,
    ),
  )
})

it('a callback inside a child context belongs to it', async () => {
  const ended = await run(
    async (_event, context) =>
      context.runInChildContext('wrapper', child => child.waitForCallback('approval', submit)),
    { actions: [yes] },
  )
  expect(ended).toEqual(
    succeeded(
      'yes',
      `ContextStarted a "wrapper"
       ContextStarted a>b WaitForCallback "approval"
       CallbackStarted b>c
       StepStarted b>d
       StepSucceeded b>d
       InvocationCompleted
       CallbackSucceeded b>c = yes
       ContextSucceeded a>b WaitForCallback "approval" = "yes"
       ContextSucceeded a "wrapper" = "yes"
       InvocationCompleted`,
    ),
  )
})

it('two callbacks follow each other, each an operation of its own', async () => {
  const ended = await run(
    async (_event, context) => {
      await context.waitForCallback('first', submit)
      return context.waitForCallback('second', submit)
    },
    {
      actions: [
        { succeed: 'first', with: '1' },
        { succeed: 'second', with: '2' },
      ],
    },
  )
  expect(ended).toEqual(
    succeeded(
      '2',
      `ContextStarted a WaitForCallback "first"
       CallbackStarted a>b
       StepStarted a>c
       StepSucceeded a>c
       InvocationCompleted
       CallbackSucceeded a>b = 1
       ContextSucceeded a WaitForCallback "first" = "1"
       ContextStarted d WaitForCallback "second"
       CallbackStarted d>e
       StepStarted d>f
       StepSucceeded d>f
       InvocationCompleted
       CallbackSucceeded d>e = 2
       ContextSucceeded d WaitForCallback "second" = "2"
       InvocationCompleted`,
    ),
  )
})

it('a wait, a step and a callback follow each other', async () => {
  const ended = await run(
    async (_event, context) => {
      await context.wait({ seconds: 1 })
      await context.step(async () => 'data')
      return context.waitForCallback('approval', submit)
    },
    { actions: [yes] },
  )
  expect(ended).toEqual(
    succeeded(
      'yes',
      `WaitStarted a 1 s
       InvocationCompleted
       WaitSucceeded a 1 s
       StepStarted b
       StepSucceeded b = "data"
       ContextStarted c WaitForCallback "approval"
       CallbackStarted c>d
       StepStarted c>e
       StepSucceeded c>e
       InvocationCompleted
       CallbackSucceeded c>d = yes
       ContextSucceeded c WaitForCallback "approval" = "yes"
       InvocationCompleted`,
    ),
  )
})

it('the function reads an answer as an object', async () => {
  const serdes = { deserialize: async (text: string | undefined) => JSON.parse(text!) }
  const ended = await run(
    async (_event, context) => {
      const { state } = await context.waitForCallback('approval', submit, { serdes })
      return state
    },
    { actions: [{ succeed: 'approval', with: '{"state":"paid"}' }] },
  )
  expect(ended).toEqual(
    succeeded(
      'paid',
      approved.replace('= yes', '= {"state":"paid"}').replace('"yes"', String.raw`"{\"state\":\"paid\"}"`),
    ),
  )
})

it('a callback without a heartbeat ends the execution', async () => {
  expect(await ask([{ passSeconds: 5 }], { heartbeatTimeout: { seconds: 5 } })).toEqual(
    failed(
      'CallbackTimeoutError: Callback timed out on heartbeat',
      `${asked(' heartbeat 5 s')}\n${late('Heartbeat', 'Callback timed out on heartbeat')}`,
    ),
  )
})

it('a heartbeat gives a callback its whole time again, and leaves no event', async () => {
  const later: Action = { passSeconds: 7, isQuiet: true }
  const actions = [later, { heartbeat: 'approval' }, later, yes]
  expect(await ask(actions, { heartbeatTimeout: { seconds: 10 } })).toEqual(
    succeeded('yes', approved.replace('a>b\n', 'a>b heartbeat 10 s\n')),
  )
})

it('a function can catch that nobody answered', async () => {
  const ended = await run(
    async (_event, context) => {
      try {
        return await context.waitForCallback('approval', submit, { timeout: { seconds: 3 } })
      } catch {
        return 'nobody answered'
      }
    },
    { actions: [{ passSeconds: 3 }] },
  )
  expect(ended).toEqual(
    succeeded('nobody answered', `${asked(' timeout 3 s')}\n${late('Timeout', 'Callback timed out')}`),
  )
})

it('an answer without a result is empty', async () => {
  expect(await ask([{ succeed: 'approval' }])).toEqual(
    succeeded(undefined, approved.replaceAll(/ = "?yes"?/g, '')),
  )
})

import { expect, it } from '@jest/globals'
import { systemClock } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { mailSetup } from '@signalbox/platform-mail/testing/mail-setup'
import type { NewInvocationLogEntry } from '@signalbox/platform-runtime'
import { systemRandom } from '@signalbox/platform-runtime'
import { dispatcher, inProcessInvoker } from '@signalbox/platform-runtime/platform/testing/parts'
import { queueEvent } from '@signalbox/queue/testing'
import { createPlatform } from './platform.ts'

const fail = (): never => {
  throw new Error('I have no words')
}

it.each([
  ['the event', { event: fail, result: (answer: unknown) => answer }],
  ['the answer', { event: (event: unknown) => event, result: fail }],
  ['the context', { event: (event: unknown) => event, result: (answer: unknown) => answer, context: fail }],
])('an invocation fails when the function’s dialect throws while it translates %s', async (_, dialect) => {
  const platform = createPlatform({
    functions: { sort: { handler: () => ({}), dialect } },
    dataDir: ':memory:',
  })
  const { failure, verdict } = await platform.invoke('sort', queueEvent())
  expect(failure).toEqual({ kind: 'threw', message: 'its dialect failed: I have no words' })
  expect(verdict).toMatchObject({ ok: false })
  await platform.stop()
})

it('the fallback of a mail rule applies if the dialect of its function throws', async () => {
  const sort = { handler: () => ({}), dialect: { event: (event: unknown) => event, result: fail } }
  await using setup = await mailSetup(() => ({}), { functions: { sort }, inbound: { fallback: 'DROP' } })
  const id = await setup.send()
  await setup.calm()
  expect(await setup.recipientStates(id)).toEqual({ 'bob@office.example': 'dropped' })
})

it('an invocation fails and is logged when the function that computes its verdict throws', async () => {
  const clock = manualClock()
  const entries: NewInvocationLogEntry[] = []
  const invoker = inProcessInvoker({ name: 'sort', handler: () => 'odd', timeout: 1000, clock })
  const callees = new Map([['sort', { invoker, dialect: undefined }]])
  const dispatch = dispatcher(callees, entry => entries.push(entry), clock, systemRandom)
  const { failure, verdict } = await dispatch({
    functionName: 'sort',
    event: {},
    family: undefined,
    source: 'test',
    verdict: payload => (payload === '"odd"' ? fail() : 'failed'),
    describe: kind => ({ kind, ok: false, text: '' }),
  })
  expect(failure).toEqual({ kind: 'threw', message: 'its result has no verdict: I have no words' })
  expect(verdict).toBe('failed')
  expect(entries).toMatchObject([{ failure, verdict: { kind: 'failed' } }])
})

it.each([
  ['undefined', undefined],
  ['null', null],
  ['a number', 7],
  ['an object', {}],
])('an invocation fails when its payload is %s instead of a string', async (_kind, payload) => {
  const lines: NewInvocationLogEntry[] = []
  const invoker = {
    invoke: async () => ({ payload: payload as never, logs: [], generation: 1 }),
    reload: () => {},
    stop: async () => {},
    instances: () => 1,
  }
  const callees = new Map([['shop', { invoker, dialect: undefined }]])
  const dispatch = dispatcher(callees, line => lines.push(line), systemClock, systemRandom)
  const { failure, verdict } = await dispatch({
    functionName: 'shop',
    event: httpEvent('GET', '/'),
    family: 'load-balancer',
    source: 'test',
    verdict: text => text,
    describe: text => ({ kind: 'malformed', ok: false, text }),
  })
  expect(failure).toEqual({ kind: 'crash', message: `its payload is ${typeof payload}, expected text` })
  expect(lines).toMatchObject([{ failure, payload: verdict, verdict: { text: verdict } }])
})

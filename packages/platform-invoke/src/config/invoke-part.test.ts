import { expect, it } from '@jest/globals'
import { configProblems, settingsOf } from '../testing/invoke-program.ts'
import { invokePart } from './invoke-part.ts'

const handler = () => null
const functions = { work: { handler, instances: 3 }, rest: { handler, timeout: 2, wait: 1 } }
const queues = { failed: {}, 'failed.fifo': {} }

const lines = (invoke: unknown) =>
  configProblems({ functions, queues, invoke }).map(
    ({ pointer, expected, actual }) => `${pointer}: ${expected}; ${actual}`,
  )

it('all problems under the configuration key `invoke` are reported at once', () => {
  expect(
    lines({
      prt: 1,
      maximumRetryAttempts: 3,
      onFailure: 'faild',
      functions: { work: { maximumEventAge: 1, onFailure: 'failed.fifo' }, wrk: {}, rest: 1 },
    }),
  ).toEqual([
    '/invoke/maximumRetryAttempts: an integer from 0 to 2; number 3',
    '/invoke/prt: the name port; an unknown name',
    '/invoke/onFailure: failed; "faild", which is not a queue of this configuration',
    '/invoke/functions/work/maximumEventAge: whole seconds from 60 to 21600; number 1',
    '/invoke/functions/work/onFailure: a standard queue; failed.fifo',
    '/invoke/functions/wrk: work; a name that is not a function of this configuration',
    '/invoke/functions/rest: an object; a number',
  ])
  expect(lines({ port: 9324 })).toEqual([
    '/invoke/port: a port of its own, since the listener of the queues has this one; 9324',
  ])
  expect(lines({})).toEqual([])
})

it('the settings under `invoke` have defaults, which each function can override', () => {
  const invoke = {
    onFailure: 'failed',
    functions: { work: { maximumRetryAttempts: 0, maximumEventAge: 60 } },
  }
  expect(settingsOf({ functions, queues, invoke }, '/').of(invokePart)).toMatchObject({
    port: 9332,
    host: '127.0.0.1',
    functions: [
      {
        functionName: 'work',
        concurrency: 3,
        retries: 0,
        maximumAge: 60_000,
        onFailure: 'failed',
      },
      { functionName: 'rest', concurrency: 8, retries: 2, maximumAge: 21_600_000 },
    ],
  })
  expect(settingsOf({ functions }, '/').of(invokePart)).toBeUndefined()
})

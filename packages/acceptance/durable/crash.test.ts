import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { durablePlatform, failed, succeeded } from './testing/required.ts'

const folder = temporaryFolder()
const module = fileURLToPath(new URL('testing/crashing.mjs', import.meta.url))
const env = { AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }
const { run, start, stop } = durablePlatform({
  crashing: { module, instances: 1, env, durable: { timeout: 3600 } },
})
beforeAll(start)
afterAll(async () => {
  await stop()
  folder[Symbol.dispose]()
})

/** What the SDK says of a step that a crash has interrupted. */
const interrupted =
  'The step execution process was initiated but failed to reach completion due to an interruption.'

/** Runs the function with one of its rules. Resolves to the execution and what its step wrote at each call. */
async function crash(rule: string) {
  const calls = join(folder.path, rule)
  const ended = await run('crashing', { input: { rule, calls, text: 'paid' } })
  return { ended, calls: readFileSync(calls, 'utf8').trim().split('\n') }
}

it('a step that must run at most once fails after a crash, and does not run again', async () => {
  const { ended, calls } = await crash('once')
  expect(calls).toEqual(['paid'])
  expect(ended).toEqual(
    failed(
      `StepError: ${interrupted}`,
      `StepStarted a "charge"
       InvocationCompleted Runtime.ExitError
       StepFailed a "charge" StepInterruptedError: ${interrupted}
       InvocationCompleted`,
    ),
  )
})

it('a step that must run at most once for each attempt runs again after a crash, as the next attempt', async () => {
  const { ended, calls } = await crash('again')
  expect(calls).toEqual(['paid', 'paid'])
  expect(ended).toEqual(
    succeeded(
      'paid',
      `StepStarted a "charge"
       InvocationCompleted Runtime.ExitError
       StepFailed a "charge" StepInterruptedError: ${interrupted} again in 1 s
       InvocationCompleted
       StepStarted a "charge"
       StepSucceeded a "charge" = "paid" attempt 2
       InvocationCompleted`,
    ),
  )
})

it('a step in a child context runs again after a crash, and does not start again', async () => {
  const { ended, calls } = await crash('child')
  expect(calls).toEqual(['paid', 'paid'])
  expect(ended).toEqual(
    succeeded(
      'paid',
      `ContextStarted a
       StepStarted a>b
       InvocationCompleted Runtime.ExitError
       StepSucceeded a>b = "paid"
       ContextSucceeded a = "paid"
       InvocationCompleted`,
    ),
  )
})

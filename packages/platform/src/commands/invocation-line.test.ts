import { expect, it } from '@jest/globals'
import { plain } from '../../../platform-runtime/src/command-line/paint.ts'
import type { InvocationLogEntry } from '../../../platform-runtime/src/invocation-log/entry.ts'
import { families } from '../testing/whole-program.ts'
import { invocationLine } from './invocation-line.ts'

const entry: InvocationLogEntry = {
  ...{ id: 7, requestId: 'r', functionName: 'sort', source: 'mail inbound', family: 'mail-flow', attempt: 1 },
  ...{ generation: 1, started: 0, duration: 12, event: '{"subject":"Hello"}', payload: '"no"' },
  ...{ failure: undefined, verdict: undefined, logs: [], masked: false },
}

it('an invocation line shows a multi-line verdict on one line', () => {
  const text = 'failed: the response breaks the contract:\n/actions: expected a list\n/x: expected nothing'
  expect(invocationLine({ ...entry, verdict: { kind: 'failed', ok: false, text } }, families, plain)).toBe(
    '#7 00:00:00.000 sort mail "Hello" → failed: the response breaks the contract: ' +
      '/actions: expected a list; /x: expected nothing 12 ms',
  )
})

it.each([
  [0, '0 messages'],
  [1, '1 message'],
  [2, '2 messages'],
])('an invocation line counts the messages in a batch of %i', (count, text) => {
  const event = JSON.stringify({ Records: new Array(count).fill({}) })
  expect(invocationLine({ ...entry, family: 'queue', event }, families, plain)).toContain(` sort ${text} → `)
})

it('an invocation line names the queue that a batch comes from', () => {
  const records = [{ eventSourceARN: 'arn:aws:sqs:eu-central-1:123456789012:orders.fifo' }, {}]
  const event = JSON.stringify({ Records: records })
  expect(invocationLine({ ...entry, family: 'queue', event }, families, plain)).toContain(
    ' sort 2 messages of orders.fifo → ',
  )
})

it('an invocation line does not repeat the reason for a failure', () => {
  const failure = { kind: 'threw', message: 'TypeError: no' } as const
  for (const [text, line] of [
    ['failure: the invocation failed: no', 'failure: the invocation failed: no'],
    ['502 Bad Gateway', '502 Bad Gateway (TypeError: no)'],
  ] as const)
    expect(
      invocationLine({ ...entry, failure, verdict: { kind: '', ok: false, text } }, families, plain),
    ).toBe(`#7 00:00:00.000 sort mail "Hello" → ${line} 12 ms`)
})

it('an invocation line says why there is no verdict', () => {
  const failure = { kind: 'crash', message: 'sort exited with code 3' } as const
  expect(invocationLine({ ...entry, failure }, families, plain)).toBe(
    '#7 00:00:00.000 sort mail "Hello" → no verdict (sort exited with code 3) 12 ms',
  )
})

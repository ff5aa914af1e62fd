import { expect, it } from '@jest/globals'
import type { InvocationLogEntry } from '@signalbox/platform-runtime'
import { plain } from '@signalbox/platform-runtime/platform/testing/parts'
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

it('an invocation line is followed by the page about an error of Signalbox', () => {
  const failure = { kind: 'threw', message: 'UnroutedError: No route for X' } as const
  expect(invocationLine({ ...entry, failure }, families, plain).split('\n')).toEqual([
    expect.stringContaining('→ no verdict (UnroutedError: No route for X)'),
    '    see https://github.com/signalbox/signalbox/blob/main/docs/errors.md#UNROUTED',
  ])
})

it('an invocation line says why there is no verdict', () => {
  const failure = { kind: 'crash', message: 'sort exited with code 3' } as const
  expect(invocationLine({ ...entry, failure }, families, plain)).toBe(
    '#7 00:00:00.000 sort mail "Hello" → no verdict (sort exited with code 3) 12 ms',
  )
})

const marked = (how: string, text: string) => `<${how}>${text}</>`

it.each([
  ['an answer in green', 'answered', true, '200 OK', '→ <green>200 OK</> '],
  ['an answer of 404 in amber', 'answered', true, '404 Not Found', '→ <yellow>404 Not Found</> '],
  ['an answer of 500 in red', 'answered', true, '500 Oh', '→ <red>500 Oh</> '],
  ['a failed batch in red', 'failure', false, 'failure: no', '→ <red>failure: no</> '],
  ['a partly failed batch in amber', 'partial', true, 'partial: a failed', '→ <yellow>partial: a failed</> '],
  ['a denial without a colour', 'denied', true, 'denied: no', '→ denied: no '],
])('an invocation line shows %s', (_case, kind, ok, text, shown) => {
  expect(invocationLine({ ...entry, verdict: { kind, ok, text } }, families, marked)).toContain(shown)
})

it('an invocation line counts logged errors, and says so beside the verdict', () => {
  const verdict = { kind: 'answered', ok: true, text: '200 OK' }
  const logs = [
    { stream: 'err', text: 'no' },
    { stream: 'out', text: '{"level":"error"}' },
    { stream: 'out', text: 'fine' },
  ] as const
  const line = (kept: number) =>
    invocationLine({ ...entry, verdict, logs: logs.slice(0, kept) }, families, marked)
  expect(line(3)).toContain('→ <yellow>200 OK</> <red>(2 errors logged)</> <dim>12 ms</>')
  expect(line(1)).toContain('<red>(1 error logged)</>')
  expect(line(0)).toContain('→ <green>200 OK</> <dim>12 ms</>')
})

it('an invocation line marks a cold start', () => {
  expect(invocationLine({ ...entry, coldStart: true }, families, marked)).toContain(
    '<dim>12 ms</> <cyan>cold start</>',
  )
})

it('an invocation line names --unmasked where the output of the function is masked, if that helps', () => {
  const coded: InvocationLogEntry = {
    ...entry,
    masked: true,
    logs: [{ stream: 'out', text: 'The code is ***.' }],
  }
  const line = (each: InvocationLogEntry, unmasks?: string) =>
    invocationLine(each, families, plain, unmasks).split('\n')[0]
  expect(line(coded, '--unmasked')).toMatch(/ \(secrets masked; --unmasked shows those below\)$/)
  expect(line(coded)).toMatch(/ \(secrets masked\)$/)
  expect(line({ ...coded, logs: [] }, '--unmasked')).toMatch(/ \(secrets masked\)$/)
})

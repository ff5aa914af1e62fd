import { describe, expect, it } from '@jest/globals'
import { rootOf, traceId } from './trace-id.ts'

const ownId = `1-6affe644-${'ab'.repeat(12)}`
const trace = (arrived: string | undefined) => traceId(arrived, `6affe644${'ab'.repeat(12)}`)

it('a trace id contains the time in seconds and 24 more digits', () => {
  expect(trace(undefined)).toBe(`Root=${ownId}`)
})

it('the root of a trace id that the client sent is the id of the trace', () => {
  expect(rootOf(`Self=${ownId};Root=1-00000001-${'0'.repeat(24)};Caller=app`)).toBe(
    `00000001${'0'.repeat(24)}`,
  )
  expect(rootOf('Self=1-a-b;Root=1-a-b')).toBeUndefined()
  expect(rootOf(`Self=${ownId};Root=1-00000000-${'0'.repeat(24)}`)).toBeUndefined()
})

describe('x-cloud-trace-id', () => {
  it('is created when the client sends no trace id, or a trace id without Root=', () => {
    for (const arrived of [undefined, '', 'Self=1-a-b', 'Root=', 'Root= ;x=1', 'NotRoot=1']) {
      expect(trace(arrived)).toBe(`Root=${ownId}`)
    }
  })

  it('keeps the Root= field that the client sends, and puts Self= before it', () => {
    expect(trace('Root=1-a-b')).toBe(`Self=${ownId};Root=1-a-b`)
    expect(trace('Root=1-a-b;Caller=app')).toBe(`Self=${ownId};Root=1-a-b;Caller=app`)
  })

  it('has only one Self= field even when the client sends one', () => {
    expect(trace('Self=1-old;Root=1-a-b; Self=2')).toBe(`Self=${ownId};Root=1-a-b`)
  })
})

import { describe, expect, it } from '@jest/globals'
import { aws } from './aws.ts'
import { neutralContext } from './context.ts'

describe('neutralContext()', () => {
  it('sets requestId to awsRequestId', async () => {
    const seen = await aws(async (_event, context) => context?.requestId)({}, { awsRequestId: 'r-1' })
    expect(seen).toBe('r-1')
  })

  it('returns the same object, so that Lambda sees the fields that middlewares set', () => {
    const context = { awsRequestId: 'r-1', callbackWaitsForEmptyEventLoop: true }
    const given = neutralContext(context) as unknown as typeof context
    given.callbackWaitsForEmptyEventLoop = false
    expect(context).toEqual({ awsRequestId: 'r-1', requestId: 'r-1', callbackWaitsForEmptyEventLoop: false })
  })

  it('wraps a frozen context in a new object', () => {
    const context = Object.freeze({
      awsRequestId: 'r-1',
      functionName: 'f',
      getRemainingTimeInMillis: () => 7,
    })
    const { requestId, functionName, getRemainingTimeInMillis } = neutralContext(context) ?? {}
    expect([requestId, functionName, getRemainingTimeInMillis?.()]).toEqual(['r-1', 'f', 7])
  })

  it('does not change a context that already has a requestId or has no awsRequestId', () => {
    for (const context of [
      { awsRequestId: 'a', requestId: 'mine' },
      { functionName: 'f' },
      undefined,
      null,
    ]) {
      const before = context && { ...context }
      expect(neutralContext(context as never)).toBe(context)
      expect(context).toEqual(before)
    }
  })
})

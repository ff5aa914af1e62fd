import type { InvocationContext } from '@signalbox/core'

/** As much of a Lambda context as is used. */
export interface AwsContext {
  readonly functionName?: string
  readonly awsRequestId?: string
  getRemainingTimeInMillis?(): number
}

/**
 * Lambda's context, which then also names its request as the contract does. It is the same object, because
 * middlewares set `callbackWaitsForEmptyEventLoop` on it, and Lambda reads that from its own.
 */
export function neutralContext(context: AwsContext | undefined): InvocationContext | undefined {
  if (typeof context !== 'object' || context === null || 'requestId' in context) return context as never
  const { awsRequestId } = context
  if (awsRequestId === undefined) return context
  if (!Object.isExtensible(context))
    return Object.create(context, { requestId: { value: awsRequestId, enumerable: true } })
  const named: AwsContext & { requestId?: string } = context
  named.requestId = awsRequestId
  return named
}

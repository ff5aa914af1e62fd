import type { InvocationContext } from '@signalbox/core'

/** The fields of a Lambda context that are used. */
export interface AwsContext {
  readonly functionName?: string
  readonly awsRequestId?: string
  readonly invokedFunctionArn?: string
  getRemainingTimeInMillis?(): number
}

/**
 * Adds the contract's `requestId` to Lambda's context. It returns the same object, because middlewares set
 * `callbackWaitsForEmptyEventLoop` on it, and Lambda reads that from its own object.
 */
export function neutralContext(context: AwsContext | undefined): InvocationContext | undefined {
  const named: (AwsContext & { requestId?: string }) | undefined = context
  const requestId = named?.awsRequestId
  if (named === undefined || requestId === undefined || named.requestId !== undefined) return named
  try {
    named.requestId = requestId
    return named
  } catch {
    // A frozen context, as tests make it.
    return Object.create(named, { requestId: { value: requestId, enumerable: true } })
  }
}

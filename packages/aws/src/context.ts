import type { InvocationContext } from '@signalbox/core'

/** The fields of a Lambda context that Signalbox uses. */
export interface AwsContext {
  readonly functionName?: string
  readonly awsRequestId?: string
  readonly invokedFunctionArn?: string
  getRemainingTimeInMillis?(): number
}

/**
 * Adds the `requestId` of the contract to Lambda's context. It returns the same object, because middlewares set
 * `callbackWaitsForEmptyEventLoop` on it and Lambda reads that field from its own object.
 */
export function neutralContext(context: AwsContext | undefined): InvocationContext | undefined {
  const named: (AwsContext & { requestId?: string }) | undefined = context
  const requestId = named?.awsRequestId
  if (named === undefined || requestId === undefined || named.requestId !== undefined) return named
  try {
    named.requestId = requestId
    return named
  } catch {
    // Tests may pass a frozen context.
    return Object.create(named, { requestId: { value: requestId, enumerable: true } })
  }
}

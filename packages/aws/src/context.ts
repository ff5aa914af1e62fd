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
  const named: (AwsContext & { requestId?: string }) | undefined = context
  const requestId = named?.awsRequestId
  if (named === undefined || requestId === undefined || named.requestId !== undefined) return named
  try {
    named.requestId = requestId
    return named
  } catch {
    // A frozen one, such as tests make.
    return Object.create(named, { requestId: { value: requestId, enumerable: true } })
  }
}

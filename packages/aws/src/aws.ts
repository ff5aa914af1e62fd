import type { InvocationContext } from '@signalbox/core'
import type { AwsResult } from './aws-result.ts'
import { type AwsContext, neutralContext } from './context.ts'
import { fromAws } from './from-aws.ts'
import { mutableCopy } from './mutable-copy.ts'
import { toAws } from './to-aws.ts'
import { shapeOf } from './translation/shape.ts'

/** A handler for AWS Lambda, assignable to the handler types of `@types/aws-lambda` that match its families. */
export type AwsHandler<Result> = <Event>(
  event: Event,
  context?: AwsContext,
) => Promise<AwsResult<Result, Event>>

/**
 * A handler that `signalbox()` made, for AWS Lambda: AWS's names in, AWS's names out, nothing else changed.
 * Middlewares of the handler itself see the contract's neutral names; what is wrapped around the returned function
 * sees AWS's. The context stays AWS's own, and also gets its `awsRequestId` as `requestId`.
 *
 * @throws TypeError at once, for anything that is no function, such as a plugin. The returned function rejects
 * with whatever the handler rejects with.
 */
export function aws<Result>(
  handler: (event: unknown, context?: InvocationContext) => Promise<Result>,
): AwsHandler<Result> {
  if (typeof handler !== 'function') {
    throw new TypeError(
      'aws() takes a handler, expected the function that signalbox(…) returns: aws(signalbox(queue(…)))',
    )
  }
  // Without async and await, which would cost a turn more than `then` does.
  const lambda = function awsHandler(event: unknown, context?: AwsContext) {
    const neutral = fromAws(event)
    const own = shapeOf(event) === 'trigger' ? mutableCopy(neutral as Json, event as Json) : neutral
    return Promise.resolve(handler(own, neutralContext(context))).then(result => toAws(result, event))
  } as AwsHandler<Result>
  return Object.defineProperty(lambda, 'toJSON', { value: refuse, configurable: true })
}

// A queue takes an answer of which JSON says nothing for success, and deletes the batch.
function refuse(): never {
  throw new TypeError(
    'The function returned what aws() made: expected what the handler returns for an event, was a handler',
  )
}

type Json = Record<string, unknown>

import type { InvocationContext } from '@signalbox/core'
import { asItCame, asItsOwn } from './as-it-came.ts'
import type { AwsAnswer } from './aws-answer.ts'
import { type AwsContext, neutralContext } from './context.ts'
import { fromAws } from './from-aws.ts'
import { shapeOf } from './shape.ts'
import { toAws } from './to-aws.ts'

/** A handler for AWS Lambda, assignable to the handler types of `@types/aws-lambda` that match its families. */
export type AwsHandler<Result> = <Event>(
  event: Event,
  context?: AwsContext,
) => Promise<AwsAnswer<Result, Event>>

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
  return async function awsHandler(event: unknown, context?: AwsContext) {
    const neutral = fromAws(event)
    if (shapeOf(event) !== 'trigger') return toAws(await handler(neutral, neutralContext(context)), event)
    const came = event as Record<string, unknown>
    const own = asItsOwn(neutral as Record<string, unknown>, came) as Record<string, unknown>
    const result = await handler(own, neutralContext(context))
    return asItCame(result, own, came) ?? toAws(result, event)
  } as AwsHandler<Result>
}

import type { InvocationContext } from '@signalbox/core'
import type { AwsResult } from './aws-result.ts'
import { type AwsContext, neutralContext } from './context.ts'
import { fromAws } from './from-aws.ts'
import { mutableCopy } from './mutable-copy.ts'
import { toAws } from './to-aws.ts'
import { isObject, shapeOf } from './translation/shape.ts'

/** A handler for AWS Lambda. It is assignable to the handler types of `@types/aws-lambda` that match its families. */
export type AwsHandler<Result> = <Event>(
  event: Event,
  context?: AwsContext,
) => Promise<AwsResult<Result, Event>>

/**
 * Turns a handler of `signalbox()` into a handler for AWS Lambda. Only names change: events and results have AWS names
 * outside the returned function, and the neutral names of the contract inside it. Middlewares of the handler see the
 * neutral names. Middlewares around the returned function see the AWS names. The context remains Lambda's own object,
 * to which `requestId` is added.
 *
 * The returned function rejects with the error of the handler, and with TypeError for an event with neutral names,
 * which `awsEvent` of `@signalbox/aws/testing` translates.
 * @throws TypeError for an argument that is not a function, such as a plugin
 * @example
 * ```ts
 * import { aws } from '@signalbox/aws'
 * import { signalbox } from '@signalbox/core'
 * import { queue } from '@signalbox/queue'
 *
 * export const handler = aws(signalbox(queue({ onMessage: ({ body }) => console.log(body) })))
 * ```
 */
export function aws<Result>(
  handler:
    | ((event: unknown, context?: InvocationContext) => Promise<Result>)
    | 'a plugin needs signalbox(): write aws(signalbox(…))',
): AwsHandler<Result> {
  if (typeof handler !== 'function') {
    throw new TypeError('aws() expects the handler that signalbox(…) returns: aws(signalbox(queue(…)))')
  }
  // This function is not async, because that would take one more turn of the event loop.
  const lambda = function awsHandler(event: unknown, context?: AwsContext) {
    if (hasNeutralNames(event)) return Promise.reject(neutralEvent())
    const neutral = fromAws(event)
    const own = shapeOf(event) === 'trigger' ? mutableCopy(neutral as Json, event as Json) : neutral
    return Promise.resolve(handler(own, neutralContext(context))).then(result => toAws(result, event))
  } as AwsHandler<Result>
  return Object.defineProperty(lambda, 'toJSON', { value: refuse, configurable: true })
}

/** Returns whether an event has names that AWS never sends, as events from builders have. */
function hasNeutralNames(event: unknown): boolean {
  const { callerContext, Records: records, headers, multiValueHeaders } = Object(event) as Json
  if (isObject(callerContext)) return callerContext.cloudSdkVersion !== undefined
  const lines = headers ?? multiValueHeaders
  // A client of a load balancer of AWS can send the neutral header, but then the header of AWS is beside it.
  if (isObject(lines)) return 'x-cloud-trace-id' in lines && !('x-amzn-trace-id' in lines)
  const first: unknown = Array.isArray(records) ? records[0] : undefined
  return isObject(first) && first.eventSource === 'cloud:queue'
}

function neutralEvent(): TypeError {
  return new TypeError(
    "The event has neutral names, and a handler in aws() takes events of AWS. For the platform, set dialect: 'aws' at the function. In a test, pass awsEvent(event) of @signalbox/aws/testing.",
  )
}

// Throws an error, because the platform would treat a response that is not JSON as success and delete the batch.
function refuse(): never {
  throw new TypeError(
    'The function returned a handler that aws() made: expected the result of the handler, was a handler',
  )
}

type Json = Record<string, unknown>

import type { InvocationContext } from '@signalbox/core'
import { notAnAnswer } from '@signalbox/core/base'
import type { AwsEvent } from './aws-names.ts'
import { awsDialect } from './dialect.ts'
import { toAws } from './to-aws.ts'
import { isObject } from './translation/shape.ts'

/** A handler that is written for AWS, such as a `PreSignUpTriggerHandler`, an `SQSHandler` or an `ALBHandler`. */
type Handler = (event: never, context: never, callback: never) => unknown

/** A route of any family, or a message handler. The type of its result fits all of them. */
export type AwsRoute = (input: object, context?: InvocationContext) => Promise<never>

/**
 * Turns a handler that is written for AWS into a route of a user pool, a route of a load balancer, or an `onMessage`. The
 * handler gets the event in the names of AWS, with one record for each message, and its answer is translated back. A
 * message fails when the handler reports its record. The handler may use a callback.
 * @example
 * ```ts
 * import { awsRoute } from '@signalbox/aws'
 * import { userPool } from '@signalbox/user-pool'
 * import type { PreSignUpTriggerHandler } from 'aws-lambda'
 *
 * const confirm: PreSignUpTriggerHandler = async event => {
 *   event.response.autoConfirmUser = true
 *   return event
 * }
 * userPool({ PreSignUp: awsRoute(confirm) })
 * ```
 */
export function awsRoute(handler: Handler): AwsRoute {
  return notAnAnswer('a route', async function route(input: unknown, context: unknown) {
    const { record, event, context: own } = input as Input
    const asked = awsDialect.event(record === undefined ? (event ?? input) : { Records: [record] })
    const answer = await answerOf(handler, asked, context ?? own)
    if (record !== undefined) refuseFailure(answer)
    const isTrigger = record === undefined && event === undefined
    return awsDialect.result(isTrigger ? (answer ?? asked) : answer, asked) as never
  }) as AwsRoute
}

/**
 * Returns the record of a message in the names of AWS, as a function that is written for an `SQSRecord` expects it.
 * @example
 * ```ts
 * import { awsRecord } from '@signalbox/aws'
 * import { queueRecord } from '@signalbox/queue/testing'
 *
 * awsRecord(queueRecord('paid')).eventSource // 'aws:sqs'
 * ```
 */
export function awsRecord<Record extends object>(record: Record): AwsEvent<Record> {
  return (toAws({ Records: [record] }) as { Records: [AwsEvent<Record>] }).Records[0]
}

/** A message, a request of a load balancer, or the event of a trigger. */
interface Input {
  readonly record?: unknown
  readonly event?: unknown
  readonly context?: InvocationContext
}

function answerOf(handler: Handler, event: unknown, context: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const callback = (error: unknown, answer: unknown) =>
      (error ?? undefined) === undefined
        ? resolve(answer)
        : reject(typeof error === 'string' ? new Error(error) : error)
    const returned = (handler as (...args: unknown[]) => unknown)(event, context, callback)
    // A handler with a callback may answer later.
    if (returned !== undefined || handler.length < 3) resolve(returned)
  })
}

function refuseFailure(answer: unknown): void {
  const { batchItemFailures: failures } = isObject(answer) ? answer : {}
  if (Array.isArray(failures) && failures.length > 0)
    throw new Error('The handler reported the record of the message in batchItemFailures')
}

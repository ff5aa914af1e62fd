import { functionArn, type Location, type QueueSender } from '@signalbox/platform-runtime'
import type { EventFailure, TakenEvent } from '../store/event-store.ts'
import type { Execution } from '../store/execution.ts'
import { executedVersion, executionArn } from './execution-arn.ts'
import { endOf } from './operation-shape.ts'

/**
 * Two documents about a failure, in the format that AWS Lambda sends to destinations. The second one has no payloads. It
 * is meant for a queue that refuses the first one.
 */
type Documents = readonly [string, string]

/**
 * Returns the documents about an execution that has failed. The condition is the status of the execution.
 * @param input the event of the execution as JSON text
 * @param now milliseconds since the epoch
 */
export function documentsOfExecution(
  execution: Execution,
  { input, location, now }: { readonly input: string; readonly location: Location; readonly now: number },
): Documents {
  const { id, functionName, status } = execution
  const context = {
    requestId: id,
    functionArn: arnOf(functionName, location),
    durableExecutionArn: executionArn(execution, location),
    condition: status,
  }
  return documents(context, now, input, endOf(execution).payload)
}

/** An event that will not be retried. */
export interface FailedEvent {
  readonly event: TakenEvent
  readonly failure: EventFailure
  readonly location: Location
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Returns the documents about an event that will not be retried. */
export function documentsOfEvent({ event, failure, location, now }: FailedEvent): Documents {
  const { id, functionName, attempts, payload } = event
  const { condition } = failure
  const context = {
    ...{ requestId: id, functionArn: arnOf(functionName, location), condition },
    approximateInvokeCount: attempts,
  }
  return documents(context, now, payload, failure.payload)
}

/**
 * Sends the first document that a queue accepts.
 * @throws the error of the first document that was not refused for its content, as when the queue cannot be reached
 */
export async function sendDocument(
  queues: QueueSender,
  name: string,
  [whole, short]: Documents,
): Promise<void> {
  try {
    await queues.send(name, whole)
  } catch (error) {
    if (!contentRefusals.has((error as { readonly code?: unknown }).code)) throw error
    await queues.send(name, short)
  }
}

/** The codes with which a queue refuses a message that is too large, or that has characters which it does not take. */
const contentRefusals = new Set<unknown>(['INVALID_PARAMETER', 'INVALID_CONTENTS'])

const arnOf = (functionName: string, location: Location) =>
  `${functionArn(functionName, location)}:${executedVersion}`

/** @param responsePayload undefined when the function did not run */
function documents(
  requestContext: object,
  now: number,
  requestPayload: string,
  responsePayload: string | undefined,
): Documents {
  const about = { version: '1.0', timestamp: new Date(now).toISOString(), requestContext }
  const response = { statusCode: 200, executedVersion, functionError: 'Unhandled' }
  const short = JSON.stringify({
    ...about,
    ...(responsePayload !== undefined && { responseContext: response }),
  })
  const responseText = responsePayload === undefined ? '' : `,"responsePayload":${asJson(responsePayload)}`
  // The payloads are inserted as text. To parse and serialize them would fail for deeply nested ones.
  return [`${short.slice(0, -1)},"requestPayload":${requestPayload}${responseText}}`, short]
}

function asJson(payload: string): string {
  try {
    JSON.parse(payload)
    return payload
  } catch {
    return JSON.stringify(payload)
  }
}

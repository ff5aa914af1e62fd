import { functionArn, type Location } from '@signalbox/platform-runtime'
import type { EventFailure, TakenEvent } from '../store/event-store.ts'

/** An event that will not be retried. */
export interface FailedEvent {
  readonly event: TakenEvent
  readonly failure: EventFailure
  readonly location: Location
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * Returns two documents about an event that will not be retried, in the format that AWS Lambda sends to destinations.
 * The second document has no payloads. It is meant for a queue that refuses the first one.
 */
export function failureDocuments({ event, failure, location, now }: FailedEvent): readonly [string, string] {
  const { condition, payload } = failure
  const about = {
    version: '1.0',
    timestamp: new Date(now).toISOString(),
    requestContext: {
      requestId: event.id,
      functionArn: `${functionArn(event.functionName, location)}:$LATEST`,
      condition,
      approximateInvokeCount: event.attempts,
    },
  }
  const ran = payload === undefined ? {} : { responseContext: response }
  const short = JSON.stringify({ ...about, ...ran })
  const responsePayload = payload === undefined ? '' : `,"responsePayload":${asJson(payload)}`
  // The payloads are inserted as text. To parse and serialize them would fail for deeply nested ones.
  return [`${short.slice(0, -1)},"requestPayload":${event.payload}${responsePayload}}`, short]
}

const response = { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' }

function asJson(payload: string): string {
  try {
    JSON.parse(payload)
    return payload
  } catch {
    return JSON.stringify(payload)
  }
}

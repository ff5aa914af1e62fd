import { functionArn, type Location } from '@signalbox/platform-runtime'
import type { Execution } from '../store/execution.ts'
import { executedVersion, executionArn } from './execution-arn.ts'
import { endOf } from './operation-shape.ts'

/**
 * Returns two documents about an execution that has failed, in the format that AWS Lambda sends to destinations. The
 * condition is the status of the execution. The second document has no payloads. It is meant for a queue that refuses the
 * first one.
 * @param input the event of the execution as JSON text
 * @param now milliseconds since the epoch
 */
export function failureDocuments(
  execution: Execution,
  { input, location, now }: { readonly input: string; readonly location: Location; readonly now: number },
): readonly [string, string] {
  const { id, functionName, status } = execution
  const short = JSON.stringify({
    version: '1.0',
    timestamp: new Date(now).toISOString(),
    requestContext: {
      requestId: id,
      functionArn: `${functionArn(functionName, location)}:${executedVersion}`,
      durableExecutionArn: executionArn(execution, location),
      condition: status,
    },
    responseContext: { statusCode: 200, executedVersion, functionError: 'Unhandled' },
  })
  // The input is inserted as text. To parse and serialize it would fail for a deeply nested one.
  return [
    `${short.slice(0, -1)},"requestPayload":${input},"responsePayload":${endOf(execution).payload}}`,
    short,
  ]
}

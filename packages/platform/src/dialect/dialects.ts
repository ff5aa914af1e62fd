import { awsDialect } from '@signalbox/aws'
import type { About, Dialect } from './dialect.ts'

/** The dialects that a configuration can name. */
export const dialects = {
  aws: { ...awsDialect, context: lambdaContext },
} as const satisfies { readonly [name: string]: Dialect }

/** The name of a dialect. */
export type DialectName = keyof typeof dialects

/** What functions for AWS Lambda, and libraries for them, read from their context. */
function lambdaContext({ functionName, requestId }: About): { readonly [name: string]: unknown } {
  return {
    awsRequestId: requestId,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: requestId,
    memoryLimitInMB: '256',
    callbackWaitsForEmptyEventLoop: true,
  }
}

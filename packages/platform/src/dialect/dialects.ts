import { awsDialect, fromAws } from '@signalbox/aws'
import type { InvocationInfo, NamedDialect } from '@signalbox/platform-runtime'
import { defaultLocation } from '@signalbox/platform-runtime'

/** The dialects that a configuration and the command line can name. */
export const dialects = {
  aws: { ...awsDialect, context: lambdaContext, read: fromAws },
} as const satisfies { readonly [name: string]: NamedDialect }

/** The name of a dialect. */
export type DialectName = keyof typeof dialects

/** What functions for AWS Lambda, and libraries for them, read from their context. */
function lambdaContext({
  functionName,
  requestId,
  region = defaultLocation.region,
  account = defaultLocation.account,
}: InvocationInfo): { readonly [name: string]: unknown } {
  return {
    awsRequestId: requestId,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:${region}:${account}:function:${functionName}`,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: requestId,
    memoryLimitInMB: '256',
    callbackWaitsForEmptyEventLoop: true,
  }
}

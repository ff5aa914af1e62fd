import { awsDialect, fromAws, toAws } from '@signalbox/aws'
import type { InvocationInfo, NamedDialect } from '@signalbox/platform-runtime'
import { defaultLocation, functionArn } from '@signalbox/platform-runtime'

/** The dialects, by the names that configurations and commands use. */
export const dialects = {
  aws: { ...awsDialect, context: lambdaContext, read: fromAws, write: toAws },
} as const satisfies { readonly [name: string]: NamedDialect }

/** The name of a dialect. */
export type DialectName = keyof typeof dialects

/** Returns the context fields that functions for AWS Lambda and their libraries read. */
function lambdaContext({
  functionName,
  requestId,
  region = defaultLocation.region,
  account = defaultLocation.account,
}: InvocationInfo): { readonly [name: string]: unknown } {
  return {
    awsRequestId: requestId,
    functionVersion: '$LATEST',
    invokedFunctionArn: functionArn(functionName, { region, account }),
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: requestId,
    memoryLimitInMB: '256',
    callbackWaitsForEmptyEventLoop: true,
  }
}

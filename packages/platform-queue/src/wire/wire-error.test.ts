import * as sdk from '@aws-sdk/client-sqs'
import { expect, it } from '@jest/globals'
import { protocolErrors, storeErrorNames } from './wire-error.ts'

/** The names of the SQS errors in the AWS SDK. */
const inModel = Object.values<unknown>(sdk).flatMap(value =>
  typeof value === 'function' && value.prototype instanceof sdk.SQSServiceException ? [value.name] : [],
)

it('the list of error names from the AWS SDK contains well-known names', () => {
  expect(inModel).toEqual(expect.arrayContaining(['QueueDoesNotExist', 'ResourceNotFoundException']))
})

it.each(
  Object.entries({ ...storeErrorNames, ...protocolErrors })
    .map(([name, [type]]) => [name, type])
    .filter(([, type]) => !type!.endsWith('Exception')),
)('the error %s is sent with the type %s, which the AWS SDK knows', (_, type) => {
  // InternalFailure is the type of unexpected errors.
  expect([...inModel, 'InternalFailure']).toContain(type)
})

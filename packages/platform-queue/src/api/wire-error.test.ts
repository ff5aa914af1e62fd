import * as sdk from '@aws-sdk/client-sqs'
import { expect, it } from '@jest/globals'
import { protocolErrors, storeErrorNames } from './wire-error.ts'

/** The errors of the SQS model. */
const inModel = Object.values<unknown>(sdk).flatMap(value =>
  typeof value === 'function' && value.prototype instanceof sdk.SQSServiceException ? [value.name] : [],
)

it('the test of wire errors reads the errors of the SQS model', () => {
  expect(inModel).toEqual(expect.arrayContaining(['QueueDoesNotExist', 'ResourceNotFoundException']))
})

it.each(
  Object.entries({ ...storeErrorNames, ...protocolErrors })
    .map(([name, [type]]) => [name, type])
    .filter(([, type]) => !type!.endsWith('Exception')),
)('the wire error %s has a type of the SQS model: %s', (_, type) => {
  // InternalFailure is the type of unexpected errors.
  expect([...inModel, 'InternalFailure']).toContain(type)
})

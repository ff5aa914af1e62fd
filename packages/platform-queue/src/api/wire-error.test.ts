import * as sdk from '@aws-sdk/client-sqs'
import { expect, it } from '@jest/globals'
import { protocolErrors, storeErrorNames } from './wire-error.ts'

/** The errors of the service's model. */
const inModel = Object.values<unknown>(sdk).flatMap(value =>
  typeof value === 'function' && value.prototype instanceof sdk.SQSServiceException ? [value.name] : [],
)

it('knows the errors of the model', () => {
  expect(inModel).toEqual(expect.arrayContaining(['QueueDoesNotExist', 'ResourceNotFoundException']))
})

it.each(
  Object.entries({ ...storeErrorNames, ...protocolErrors })
    .map(([name, [type]]) => [name, type])
    .filter(([, type]) => !type!.endsWith('Exception')),
)(
  '%s has a type of the model, since it does not end in Exception as those do that the service adds: %s',
  (_, type) => {
    // What the service cannot explain has this type, whatever the model says.
    expect([...inModel, 'InternalFailure']).toContain(type)
  },
)

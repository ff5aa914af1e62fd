import { sources } from './by-hand.ts'

export const jsonSchemaOfTokenGeneration = {
  type: 'object',
  required: [
    'version',
    'region',
    'userPoolId',
    'triggerSource',
    'userName',
    'callerContext',
    'request',
    'response',
  ],
  properties: {
    version: { type: 'string' },
    region: { type: 'string' },
    userPoolId: { type: 'string' },
    triggerSource: { type: 'string', enum: sources },
    userName: { type: 'string' },
    callerContext: {
      type: 'object',
      required: ['cloudSdkVersion', 'clientId'],
      properties: { cloudSdkVersion: { type: 'string' }, clientId: { type: 'string' } },
    },
    request: {
      type: 'object',
      required: ['userAttributes', 'groupConfiguration'],
      properties: {
        userAttributes: { type: 'object', additionalProperties: { type: 'string' } },
        groupConfiguration: {
          type: 'object',
          properties: {
            groupsToOverride: { type: 'array', nullable: true, items: { type: 'string' } },
            accessRolesToOverride: { type: 'array', nullable: true, items: { type: 'string' } },
            preferredRole: { type: 'string', nullable: true },
          },
        },
        clientMetadata: { type: 'object', nullable: true, additionalProperties: { type: 'string' } },
      },
    },
    response: { type: 'object' },
  },
}

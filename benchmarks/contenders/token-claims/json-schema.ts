import { reserved, unsettableClaims } from './by-hand.ts'

const textList = { type: 'array', nullable: true, items: { type: 'string' } }
export const jsonSchemaOfClaimsAnswer = {
  type: 'object',
  additionalProperties: false,
  properties: {
    claimsOverrideDetails: {
      type: 'object',
      nullable: true,
      additionalProperties: false,
      properties: {
        claimsToAddOrOverride: {
          type: 'object',
          nullable: true,
          propertyNames: { not: { enum: [...unsettableClaims] } },
          additionalProperties: { type: 'string' },
        },
        claimsToSuppress: { ...textList, items: { type: 'string', not: { enum: reserved } } },
        groupOverrideDetails: {
          type: 'object',
          nullable: true,
          additionalProperties: false,
          properties: {
            groupsToOverride: textList,
            accessRolesToOverride: textList,
            preferredRole: { type: 'string', nullable: true },
          },
        },
      },
    },
  },
}

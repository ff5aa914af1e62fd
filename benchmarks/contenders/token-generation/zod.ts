import * as z from 'zod'
import { sources } from './by-hand.ts'

/** Zod returns a new object. It keeps unknown fields only with a loose schema. */
export const ZodTokenGeneration = z.looseObject({
  version: z.string(),
  region: z.string(),
  userPoolId: z.string(),
  triggerSource: z.enum(sources),
  userName: z.string(),
  callerContext: z.looseObject({ cloudSdkVersion: z.string(), clientId: z.string() }),
  request: z.looseObject({
    userAttributes: z.record(z.string(), z.string()),
    groupConfiguration: z.looseObject({
      groupsToOverride: z.array(z.string()).nullish(),
      accessRolesToOverride: z.array(z.string()).nullish(),
      preferredRole: z.string().nullish(),
    }),
    clientMetadata: z.record(z.string(), z.string()).nullish(),
  }),
  response: z.record(z.string(), z.unknown()),
})

import * as z from 'zod'
import { unsettable, untouchable } from './by-hand.ts'

export const ZodClaimsAnswer = z.strictObject({
  claimsOverrideDetails: z
    .strictObject({
      claimsToAddOrOverride: z
        .record(
          z.string().refine(claim => !unsettable.has(claim)),
          z.string(),
        )
        .nullish(),
      claimsToSuppress: z.array(z.string().refine(claim => !untouchable.has(claim))).nullish(),
      groupOverrideDetails: z
        .strictObject({
          groupsToOverride: z.array(z.string()).nullish(),
          accessRolesToOverride: z.array(z.string()).nullish(),
          preferredRole: z.string().nullish(),
        })
        .nullish(),
    })
    .nullish(),
})

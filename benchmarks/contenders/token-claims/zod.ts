import * as z from 'zod'
import { reservedClaims, unsettableClaims } from './by-hand.ts'

export const ZodClaimsAnswer = z.strictObject({
  claimsOverrideDetails: z
    .strictObject({
      claimsToAddOrOverride: z
        .record(
          z.string().refine(claim => !unsettableClaims.has(claim)),
          z.string(),
        )
        .nullish(),
      claimsToSuppress: z.array(z.string().refine(claim => !reservedClaims.has(claim))).nullish(),
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

import { signalbox } from '@signalbox/core'
import { userPool } from '@signalbox/user-pool'

export const handler = signalbox(
  userPool({
    TokenGeneration: () => ({ claimsOverrideDetails: { claimsToSuppress: ['email'] } }),
  }),
)

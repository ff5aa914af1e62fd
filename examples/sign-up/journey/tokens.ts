// #region tokens
import { claims, type Routes } from '@signalbox/user-pool'

export const tokens = {
  TokenGeneration: event =>
    claims()
      .set('tenant', event.userPoolId)
      .suppress('email')
      .groups(event.request.groupConfiguration.groupsToOverride ?? [])
      .for(event),
} satisfies Routes
// #endregion tokens

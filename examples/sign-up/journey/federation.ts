// #region federation
import { deny, type Routes } from '@signalbox/user-pool'

export const federation = {
  InboundFederation: ({ request }) => {
    const { email, email_verified } = request.attributes.idToken
    // Some providers send a Boolean, and others a text.
    const verified = email_verified === true || email_verified === 'true'
    if (typeof email !== 'string' || !verified) deny('Please verify your address there first')
    return { userAttributesToMap: { email, email_verified: 'true' } }
  },
} satisfies Routes
// #endregion federation

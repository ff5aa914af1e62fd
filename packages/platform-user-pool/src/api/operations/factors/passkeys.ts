import * as t from 'io-ts'
import {
  completePasskey,
  deletePasskey,
  type Passkey,
  passkeysOf,
  startPasskey,
} from '../../../flows/factors/passkeys.ts'
import { registrationResponse } from '../../../flows/factors/web-authn.ts'
import { fields, wholeNumber } from '../../wire/inputs.ts'
import { page } from '../../wire/page.ts'
import { seconds } from '../../wire/wire-user.ts'
import { type Operations, open } from '../operation.ts'

const token = { AccessToken: t.string }

/** Operations that users call to manage their passkeys. */
export const passkeyOperations: Operations = {
  StartWebAuthnRegistration: open(fields(token, {}), async (engine, { AccessToken }, sdk) => {
    const { user, caller, clientId } = await engine.tokenCaller(AccessToken, sdk)
    return { CredentialCreationOptions: await startPasskey(engine, caller, user, clientId) }
  }),

  CompleteWebAuthnRegistration: open(
    fields({ ...token, Credential: registrationResponse }, {}),
    async (engine, { AccessToken, Credential }, sdk) => {
      const { user, caller, clientId } = await engine.tokenCaller(AccessToken, sdk)
      await completePasskey(engine, caller, user, clientId, Credential)
      return {}
    },
  ),

  ListWebAuthnCredentials: open(
    fields(token, { MaxResults: wholeNumber(0, 20), NextToken: t.string }),
    async (engine, { AccessToken, MaxResults, NextToken }, sdk) => {
      const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
      const all = await passkeysOf(engine, caller.pool, user)
      const { items, next } = page(all, { Limit: MaxResults || 20, NextToken }, ({ id }) => id)
      return { Credentials: items.map(wirePasskey), ...next }
    },
  ),

  DeleteWebAuthnCredential: open(
    fields({ ...token, CredentialId: t.string }, {}),
    async (engine, { AccessToken, CredentialId }, sdk) => {
      const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
      await deletePasskey(engine, caller.pool, user, CredentialId)
      return {}
    },
  ),
}

function wirePasskey({ id, transports, attachment, relyingParty, created }: Passkey) {
  return {
    CredentialId: id,
    FriendlyCredentialName: attachment === 'cross-platform' ? 'Security key' : 'Passkey',
    RelyingPartyId: relyingParty,
    ...(attachment !== undefined && { AuthenticatorAttachment: attachment }),
    AuthenticatorTransports: transports,
    CreatedAt: seconds(created),
  }
}

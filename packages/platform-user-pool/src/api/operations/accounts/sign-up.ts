import * as t from 'io-ts'
import { confirmSignUp, resendCode, signUp } from '../../../flows/accounts/sign-up.ts'
import { deliveryDetails } from '../../../flows/messages/destinations.ts'
import { refuseWrongSecretHash } from '../../../flows/sign-in/secret-hash.ts'
import { readAttributes } from '../../../users/attributes.ts'
import { attributes, fields, mapOf, metadata } from '../../wire/inputs.ts'
import { type Operations, open } from '../operation.ts'

const who = { ClientId: t.string, Username: t.string }
const more = { SecretHash: t.string, ClientMetadata: metadata }

/** Operations that create accounts. */
export const signUpOperations: Operations = {
  SignUp: open(
    fields(
      { ...who, Password: t.string },
      { ...more, UserAttributes: attributes, ValidationData: attributes },
    ),
    async (engine, input, sdk, _mayKnow, address) => {
      const caller = { ...engine.clientCaller(input.ClientId, sdk), address }
      refuseWrongSecretHash(engine.vault, caller.pool, caller.client, [input.Username], input.SecretHash)
      const { user, destination } = await signUp(engine, caller, {
        username: input.Username,
        password: input.Password,
        attributes: readAttributes(caller.pool, input.UserAttributes ?? [], false),
        validationData: mapOf(input.ValidationData ?? []),
        clientMetadata: input.ClientMetadata ?? {},
      })
      return {
        UserConfirmed: user.status === 'CONFIRMED',
        UserSub: user.id,
        ...(destination && { CodeDeliveryDetails: deliveryDetails(destination) }),
      }
    },
  ),

  ConfirmSignUp: open(
    fields({ ...who, ConfirmationCode: t.string }, { ...more, ForceAliasCreation: t.boolean }),
    async (engine, input, sdk) => {
      const caller = engine.clientCaller(input.ClientId, sdk)
      refuseWrongSecretHash(engine.vault, caller.pool, caller.client, [input.Username], input.SecretHash)
      await confirmSignUp(engine, caller, {
        username: input.Username,
        code: input.ConfirmationCode,
        forceAlias: input.ForceAliasCreation ?? false,
        clientMetadata: input.ClientMetadata ?? {},
      })
      return {}
    },
  ),

  ResendConfirmationCode: open(fields(who, more), async (engine, input, sdk) => {
    const caller = engine.clientCaller(input.ClientId, sdk)
    refuseWrongSecretHash(engine.vault, caller.pool, caller.client, [input.Username], input.SecretHash)
    const destination = await resendCode(engine, caller, input.Username, input.ClientMetadata ?? {})
    return { CodeDeliveryDetails: deliveryDetails(destination) }
  }),
}

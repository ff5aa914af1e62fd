import * as t from 'io-ts'
import { confirmForgotPassword, forgotPassword } from '../../../flows/accounts/forgotten-password.ts'
import { deliveryDetails } from '../../../flows/messages/destinations.ts'
import { refuseWrongSecretHash } from '../../../flows/sign-in/secret-hash.ts'
import { fields, metadata } from '../../wire/inputs.ts'
import { type Operations, open } from '../operation.ts'

const who = { ClientId: t.string, Username: t.string }
const more = { SecretHash: t.string, ClientMetadata: metadata }

/** Operations that replace a forgotten password. */
export const forgottenPasswordOperations: Operations = {
  ForgotPassword: open(fields(who, more), async (engine, input, sdk) => {
    const caller = engine.clientCaller(input.ClientId, sdk)
    refuseWrongSecretHash(engine.vault, caller.pool, caller.client, [input.Username], input.SecretHash)
    const destination = await forgotPassword(engine, caller, input.Username, input.ClientMetadata ?? {})
    return { CodeDeliveryDetails: deliveryDetails(destination) }
  }),

  ConfirmForgotPassword: open(
    fields({ ...who, ConfirmationCode: t.string, Password: t.string }, more),
    async (engine, input, sdk) => {
      const caller = engine.clientCaller(input.ClientId, sdk)
      refuseWrongSecretHash(engine.vault, caller.pool, caller.client, [input.Username], input.SecretHash)
      await confirmForgotPassword(engine, caller, {
        username: input.Username,
        code: input.ConfirmationCode,
        password: input.Password,
        clientMetadata: input.ClientMetadata ?? {},
      })
      return {}
    },
  ),
}

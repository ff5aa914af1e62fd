import * as t from 'io-ts'
import {
  changePassword,
  deleteAttributes,
  deleteUser,
  sendVerification,
  updateAttributes,
  verifyAttribute,
} from '../../../flows/accounts/own-account.ts'
import { deliveryDetails } from '../../../flows/messages/destinations.ts'
import { signOutEverywhere } from '../../../flows/sign-in/sign-out.ts'
import { readableAttributes } from '../../../users/attribute-rights.ts'
import { readAttributes } from '../../../users/attributes.ts'
import { attributes, fields, metadata } from '../../wire/inputs.ts'
import { wireAttributes, wireFactors } from '../../wire/wire-user.ts'
import { type Operations, open } from '../operation.ts'

const token = { AccessToken: t.string }

/** Operations that users call to manage their own accounts. */
export const ownAccountOperations: Operations = {
  GetUser: open(fields(token, {}), async (engine, { AccessToken }, sdk) => {
    const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
    const attributes = readableAttributes(caller.client, user)
    return {
      Username: user.name,
      UserAttributes: wireAttributes({ ...user, attributes }),
      ...wireFactors(user),
    }
  }),

  ChangePassword: open(
    fields({ ...token, ProposedPassword: t.string, PreviousPassword: t.string }, {}),
    async (engine, { AccessToken, PreviousPassword, ProposedPassword }, sdk) => {
      const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
      await changePassword(engine, caller, user, PreviousPassword, ProposedPassword)
      return {}
    },
  ),

  UpdateUserAttributes: open(
    fields({ ...token, UserAttributes: attributes }, { ClientMetadata: metadata }),
    async (engine, { AccessToken, UserAttributes, ClientMetadata = {} }, sdk) => {
      const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
      const changed = readAttributes(caller.pool, UserAttributes, false)
      const sent = await updateAttributes(engine, caller, user, changed, ClientMetadata)
      return { CodeDeliveryDetailsList: sent.map(deliveryDetails) }
    },
  ),

  DeleteUserAttributes: open(
    fields({ ...token, UserAttributeNames: t.array(t.string) }, {}),
    async (engine, { AccessToken, UserAttributeNames }, sdk) => {
      const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
      await deleteAttributes(engine, caller, user, UserAttributeNames)
      return {}
    },
  ),

  GetUserAttributeVerificationCode: open(
    fields({ ...token, AttributeName: t.string }, { ClientMetadata: metadata }),
    async (engine, { AccessToken, AttributeName, ClientMetadata = {} }, sdk) => {
      const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
      const destination = await sendVerification(engine, caller, user, AttributeName, ClientMetadata)
      return { CodeDeliveryDetails: deliveryDetails(destination) }
    },
  ),

  VerifyUserAttribute: open(
    fields({ ...token, AttributeName: t.string, Code: t.string }, {}),
    async (engine, { AccessToken, AttributeName, Code }, sdk) => {
      const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
      await verifyAttribute(engine, caller, user, AttributeName, Code)
      return {}
    },
  ),

  DeleteUser: open(fields(token, {}), async (engine, { AccessToken }, sdk) => {
    const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
    await deleteUser(engine, caller, user)
    return {}
  }),

  GlobalSignOut: open(fields(token, {}), async (engine, { AccessToken }, sdk) => {
    const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
    await signOutEverywhere(engine, caller, user)
    return {}
  }),
}

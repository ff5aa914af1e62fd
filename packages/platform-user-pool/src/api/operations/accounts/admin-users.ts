import * as t from 'io-ts'
import type { FlowCaller } from '../../../context/engine-context.ts'
import type { Engine } from '../../../engine.ts'
import { linkUser, ownProvider, type ProviderUser, unlinkUser } from '../../../federation/links.ts'
import { adminCreateUser } from '../../../flows/accounts/admin-create-user.ts'
import { resetRefusal, sendResetCode } from '../../../flows/accounts/forgotten-password.ts'
import { deleteAttributes, deleteUser, updateAttributes } from '../../../flows/accounts/own-account.ts'
import { encryptedPassword, refuseWeakPassword } from '../../../flows/accounts/passwords.ts'
import { existingUser, postConfirmation, refuseConfirmed } from '../../../flows/accounts/sign-up.ts'
import { applyAgain } from '../../../flows/apply.ts'
import { withoutToken } from '../../../flows/factors/factor-preferences.ts'
import { sessionsOf } from '../../../flows/sign-in/sessions.ts'
import { signOutEverywhere } from '../../../flows/sign-in/sign-out.ts'
import type { Change, StoredUser, User } from '../../../store/user-pool-store.ts'
import { invalidParameter, readAttributes } from '../../../users/attributes.ts'
import { attributes, fields, mapOf, metadata } from '../../wire/inputs.ts'
import { wireFactors, wireUser } from '../../wire/wire-user.ts'
import { admin, type Operations } from '../operation.ts'

const providerUser = t.partial({
  ProviderName: t.string,
  ProviderAttributeName: t.string,
  ProviderAttributeValue: t.string,
})
const who = { UserPoolId: t.string, Username: t.string }

/** Operations that administrators use to manage accounts. */
export const adminUserOperations: Operations = {
  AdminCreateUser: admin(
    fields(who, {
      UserAttributes: attributes,
      ValidationData: attributes,
      TemporaryPassword: t.string,
      ForceAliasCreation: t.boolean,
      MessageAction: t.string,
      DesiredDeliveryMediums: t.array(t.keyof({ EMAIL: 0, SMS: 0 })),
      ClientMetadata: metadata,
    }),
    async (engine, input, sdk) => {
      const caller = engine.adminCaller(input.UserPoolId, sdk)
      const user = await adminCreateUser(engine, caller, {
        username: input.Username,
        password: input.TemporaryPassword,
        // A repeated invitation leaves the user's attributes unchanged.
        attributes:
          input.MessageAction === 'RESEND'
            ? {}
            : readAttributes(caller.pool, input.UserAttributes ?? [], true),
        validationData: mapOf(input.ValidationData ?? []),
        clientMetadata: input.ClientMetadata ?? {},
        action: input.MessageAction,
        media: input.DesiredDeliveryMediums,
        forceAlias: input.ForceAliasCreation ?? false,
      })
      return { User: wireUser(user) }
    },
  ),

  AdminGetUser: admin(fields(who, {}), async (engine, input, sdk) => {
    const { user } = await accountOf(engine, input, sdk)
    const { Attributes: UserAttributes, ...rest } = wireUser(user)
    return { ...rest, UserAttributes, ...wireFactors(user) }
  }),

  AdminDeleteUser: admin(fields(who, {}), async (engine, input, sdk) => {
    const { user, caller } = await accountOf(engine, input, sdk)
    await deleteUser(engine, caller, user)
    return {}
  }),

  AdminEnableUser: admin(fields(who, {}), (engine, input, sdk) =>
    changed(engine, input, sdk, user => ({ ...user, enabled: true })),
  ),

  AdminDisableUser: admin(fields(who, {}), (engine, input, sdk) =>
    changed(
      engine,
      input,
      sdk,
      user => ({ ...user, enabled: false }),
      ({ id }) => [{ user: id, kinds: ['grant', 'session', 'consent'] }],
    ),
  ),

  /** Removes the authenticator of a user who has lost it, and ends sign-ins that are waiting for its code. */
  AdminDeleteSoftwareToken: admin(fields(who, {}), (engine, input, sdk) =>
    changed(
      engine,
      input,
      sdk,
      user => ({ ...user, ...(user.factors && { factors: withoutToken(user.factors) }) }),
      user => [sessionsOf(user)],
    ),
  ),

  AdminSetUserPassword: admin(
    fields({ ...who, Password: t.string }, { Permanent: t.boolean }),
    (engine, input, sdk) => {
      const { pool } = engine.adminCaller(input.UserPoolId, sdk)
      refuseWeakPassword(pool, input.Password)
      const isPermanent = input.Permanent ?? false
      const withPassword = (user: User): User => ({
        ...user,
        password: encryptedPassword(engine, pool, user, input.Password),
        status: isPermanent ? 'CONFIRMED' : 'FORCE_CHANGE_PASSWORD',
        passwordExpires: isPermanent ? undefined : engine.clock.now() + pool.password.temporary,
      })
      return changed(engine, input, sdk, withPassword, user => [sessionsOf(user)])
    },
  ),

  AdminConfirmSignUp: admin(fields(who, { ClientMetadata: metadata }), async (engine, input, sdk) => {
    await changed(engine, input, sdk, user => {
      refuseConfirmed(user)
      return { ...user, status: 'CONFIRMED' }
    })
    const { user, caller } = await accountOf(engine, input, sdk)
    await postConfirmation(engine, caller, user, input.ClientMetadata ?? {})
    return {}
  }),

  AdminResetUserPassword: admin(fields(who, { ClientMetadata: metadata }), async (engine, input, sdk) => {
    const { user, caller } = await accountOf(engine, input, sdk)
    const refusal = resetRefusal(caller.pool, user)
    if (refusal !== undefined) throw refusal
    const { revision, ...before } = user
    const reset: User = { ...before, status: 'RESET_REQUIRED', modified: engine.clock.now() }
    await sendResetCode(engine, caller, user, input.ClientMetadata ?? {}, {
      users: [{ user: reset, was: revision }],
    })
    return {}
  }),

  AdminUpdateUserAttributes: admin(
    fields({ ...who, UserAttributes: attributes }, { ClientMetadata: metadata }),
    async (engine, input, sdk) => {
      const { user, caller } = await accountOf(engine, input, sdk)
      const wanted = readAttributes(caller.pool, input.UserAttributes, true)
      await updateAttributes(engine, caller, user, wanted, input.ClientMetadata ?? {}, true)
      return {}
    },
  ),

  AdminDeleteUserAttributes: admin(
    fields({ ...who, UserAttributeNames: t.array(t.string) }, {}),
    async (engine, input, sdk) => {
      const { user, caller } = await accountOf(engine, input, sdk)
      await deleteAttributes(engine, caller, user, input.UserAttributeNames, true)
      return {}
    },
  ),

  AdminUserGlobalSignOut: admin(fields(who, {}), async (engine, input, sdk) => {
    const { user, caller } = await accountOf(engine, input, sdk)
    await signOutEverywhere(engine, caller, user)
    return {}
  }),

  AdminLinkProviderForUser: admin(
    fields({ UserPoolId: t.string, DestinationUser: providerUser, SourceUser: providerUser }, {}),
    async (engine, { UserPoolId, DestinationUser, SourceUser }, sdk) => {
      const { pool } = engine.adminCaller(UserPoolId, sdk)
      // Cognito ignores the attribute name of the destination user.
      const { provider, value } = readProviderUser({ ...DestinationUser, ProviderAttributeName: 'sub' })
      await linkUser(engine, pool, { provider, value }, readProviderUser(SourceUser))
      return {}
    },
  ),

  AdminDisableProviderForUser: admin(
    fields({ UserPoolId: t.string, User: providerUser }, {}),
    async (engine, { UserPoolId, User }, sdk) => {
      const { pool } = engine.adminCaller(UserPoolId, sdk)
      if (User.ProviderName === ownProvider)
        throw invalidParameter('AdminDisableUser disables users of the pool itself.')
      await unlinkUser(engine, pool, readProviderUser(User))
      return {}
    },
  ),
}

/**
 * The attribute name that stands for the claim `sub` in requests. It is replaced here, because a provider could have a
 * claim of this name, which its users might set themselves.
 */
const subjectName = 'Cognito_Subject'

/**
 * Reads the request fields that identify a user of an external provider.
 * @throws UserPoolError for a missing field
 */
function readProviderUser(sent: t.TypeOf<typeof providerUser>): ProviderUser {
  const { ProviderName: provider, ProviderAttributeName: claim, ProviderAttributeValue: value } = sent
  if (provider && claim && value) return { provider, claim: claim === subjectName ? 'sub' : claim, value }
  throw invalidParameter('A user needs a ProviderName, ProviderAttributeName and ProviderAttributeValue.')
}

interface Who {
  readonly UserPoolId: string
  readonly Username: string
}

/**
 * Finds the pool and the account that a request names.
 * @throws UserPoolError for an unknown pool or account
 */
export async function accountOf(
  engine: Engine,
  { UserPoolId, Username }: Who,
  sdk: string,
): Promise<{ readonly caller: FlowCaller; readonly user: StoredUser }> {
  const caller = engine.adminCaller(UserPoolId, sdk)
  return { caller, user: await existingUser(engine, caller.pool, Username) }
}

async function changed(
  engine: Engine,
  who: Who,
  sdk: string,
  change: (user: User) => User,
  ends: (user: User) => NonNullable<Change['ends']> = () => [],
): Promise<object> {
  await applyAgain(engine, async () => {
    const { caller, user } = await accountOf(engine, who, sdk)
    const { revision, ...before } = user
    const now = engine.clock.now()
    return {
      pool: caller.pool.id,
      now,
      users: [{ user: { ...change(before), modified: now }, was: revision }],
      ends: ends(user),
    }
  })
  return {}
}

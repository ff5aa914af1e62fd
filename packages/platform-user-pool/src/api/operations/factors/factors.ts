import { matching } from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import type { FlowCaller } from '../../../context/engine-context.ts'
import type { Engine } from '../../../engine.ts'
import { type FactorPreference, setPreferences } from '../../../flows/factors/factor-preferences.ts'
import {
  associateToken,
  associateTokenInSession,
  verifyToken,
  verifyTokenInSession,
} from '../../../flows/factors/software-token.ts'
import { availableChallenges } from '../../../flows/sign-in/choice-sign-in.ts'
import { poolOfSession } from '../../../flows/sign-in/sessions.ts'
import type { StoredUser } from '../../../store/user-pool-store.ts'
import { invalidParameter } from '../../../users/attributes.ts'
import { fields } from '../../wire/inputs.ts'
import { wireFactors } from '../../wire/wire-user.ts'
import { accountOf } from '../accounts/admin-users.ts'
import { admin, type Operations, open } from '../operation.ts'

const token = { AccessToken: t.string }
const who = { UserPoolId: t.string, Username: t.string }
const preference = t.partial({ Enabled: t.boolean, PreferredMfa: t.boolean })
const preferences = {
  SMSMfaSettings: preference,
  SoftwareTokenMfaSettings: preference,
  EmailMfaSettings: preference,
}
/** The code of an authenticator. */
const tokenCode = matching<string>('six digits', value => typeof value === 'string' && /^\d{6}$/.test(value))
const delivery = t.array(t.partial({ DeliveryMedium: t.string, AttributeName: t.string }))

/** Operations that users call to manage their second factors. */
export const factorOperations: Operations = {
  AssociateSoftwareToken: open(
    fields({}, { AccessToken: t.string, Session: t.string }),
    async (engine, { AccessToken, Session }, sdk) => {
      if (AccessToken !== undefined) {
        const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
        return { SecretCode: await associateToken(engine, caller, user) }
      }
      const { caller, handle } = sessionCaller(engine, Session, sdk)
      const { secret, session } = await associateTokenInSession(engine, caller, handle)
      return { SecretCode: secret, Session: session }
    },
  ),

  VerifySoftwareToken: open(
    fields(
      { UserCode: tokenCode },
      { AccessToken: t.string, Session: t.string, FriendlyDeviceName: t.string },
    ),
    async (engine, { AccessToken, Session, UserCode, FriendlyDeviceName }, sdk) => {
      if (AccessToken !== undefined) {
        const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
        await verifyToken(engine, caller, user, UserCode, FriendlyDeviceName)
        return { Status: 'SUCCESS' }
      }
      const { caller, handle } = sessionCaller(engine, Session, sdk)
      const session = await verifyTokenInSession(engine, caller, handle, UserCode, FriendlyDeviceName)
      return { Status: 'SUCCESS', Session: session }
    },
  ),

  SetUserMFAPreference: open(fields(token, preferences), async (engine, { AccessToken, ...wanted }, sdk) => {
    const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
    await setPreferences(engine, caller.pool, user, preferencesOf(wanted), false)
    return {}
  }),

  AdminSetUserMFAPreference: admin(fields(who, preferences), async (engine, input, sdk) => {
    const { user, caller } = await accountOf(engine, input, sdk)
    await setPreferences(engine, caller.pool, user, preferencesOf(input), true)
    return {}
  }),

  SetUserSettings: open(
    fields({ ...token, MFAOptions: delivery }, {}),
    async (engine, { AccessToken, MFAOptions }, sdk) => {
      const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
      await setPreferences(engine, caller.pool, user, settingsOf(MFAOptions), false)
      return {}
    },
  ),

  AdminSetUserSettings: admin(fields({ ...who, MFAOptions: delivery }, {}), async (engine, input, sdk) => {
    const { user, caller } = await accountOf(engine, input, sdk)
    await setPreferences(engine, caller.pool, user, settingsOf(input.MFAOptions), true)
    return {}
  }),

  GetUserAuthFactors: open(fields(token, {}), async (engine, { AccessToken }, sdk) =>
    authFactors(engine, await engine.tokenCaller(AccessToken, sdk)),
  ),

  AdminGetUserAuthFactors: admin(fields(who, {}), async (engine, input, sdk) =>
    authFactors(engine, await accountOf(engine, input, sdk)),
  ),
}

async function authFactors(
  engine: Engine,
  { user, caller }: { readonly user: StoredUser; readonly caller: FlowCaller },
) {
  const available = await availableChallenges(engine, { ...caller, client: undefined }, user, user.name)
  return {
    Username: user.name,
    ...wireFactors(user),
    ConfiguredUserAuthFactors: available.filter(each => each !== 'PASSWORD_SRP'),
  }
}

function sessionCaller(engine: Engine, Session: string | undefined, sdk: string) {
  if (Session === undefined) throw invalidParameter('An AccessToken or a Session is required.')
  return { caller: { pool: poolOfSession(engine.pools, Session), client: undefined, sdk }, handle: Session }
}

type Preference = t.TypeOf<typeof preference>

function preferencesOf(wanted: { readonly [K in keyof typeof preferences]?: Preference | undefined }) {
  return (
    [
      ['sms', wanted.SMSMfaSettings],
      ['totp', wanted.SoftwareTokenMfaSettings],
      ['email', wanted.EmailMfaSettings],
    ] as const
  ).flatMap(([factor, settings]): FactorPreference[] =>
    settings === undefined
      ? []
      : [{ factor, isEnabled: settings.Enabled ?? false, isPreferred: settings.PreferredMfa ?? false }],
  )
}

/** Converts settings from the older MFA API, which supports only text messages. */
function settingsOf(options: t.TypeOf<typeof delivery>): readonly FactorPreference[] {
  return [
    {
      factor: 'sms',
      isEnabled: options.some(({ DeliveryMedium }) => DeliveryMedium === 'SMS'),
      isPreferred: false,
    },
  ]
}

import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext, FlowCaller, Metadata } from '../../context/engine-context.ts'
import type { Change, StoredUser, User } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { findUser, invalidParameter, withAttributes } from '../../users/attributes.ts'
import { apply, applyAgain } from '../apply.ts'
import { checkCode, mismatch, newCode, provedAddress, tooOften } from '../messages/codes.ts'
import { type Destination, destinationOf } from '../messages/destinations.ts'
import { deliver, newMessage } from '../messages/messages.ts'
import { takenAliases } from './aliases.ts'
import { feignedSending, hiddenKey } from './hidden-users.ts'
import { migrated } from './migration.ts'
import { encryptedPassword, refuseWeakPassword } from './passwords.ts'
import { postConfirmation } from './sign-up.ts'

const hour = 3_600_000

/**
 * Sends a password-reset code.
 * @throws UserPoolError when codes are requested too often, and for an account without a verified address
 */
export async function forgotPassword(
  engine: EngineContext,
  caller: ClientCaller,
  username: string,
  clientMetadata: Metadata,
): Promise<Destination> {
  const { store, clock } = engine
  const { pool, client } = caller
  if (pool.recovery.length === 0)
    throw new UserPoolError('NotAuthorizedException', 'Contact administrator to reset password.')
  const found = await findUser(store, pool, username)
  const key = `forgot ${found?.id ?? hiddenKey(engine, pool, username)}`
  if (!(await store.count(pool.id, key, { most: 5, window: hour }, clock.now()))) throw tooOften()
  const user =
    found ?? (await migrated(engine, caller, 'ForgotPassword', username, undefined, clientMetadata))
  const refusal = user === undefined ? unknownCombination() : resetRefusal(pool, user)
  if (user === undefined || refusal !== undefined) {
    const verify = pool.recovery === 'legacy' ? (['phone', 'email'] as const) : pool.recovery
    if (client.hideUsers)
      return feignedSending(
        engine,
        { ...caller, pool: { ...pool, verify } },
        username,
        user,
        { purpose: 'password', occasion: 'ForgotPassword' },
        clientMetadata,
      )
    throw refusal
  }
  return sendResetCode(engine, caller, user, clientMetadata, {}, client.hideUsers)
}

/** Sends a password-reset code to a verified address. */
export async function sendResetCode(
  engine: EngineContext,
  caller: FlowCaller,
  user: StoredUser,
  clientMetadata: Metadata,
  change: Pick<Change, 'users'> = {},
  isHidden = false,
): Promise<Destination> {
  const { pool } = caller
  const destination = verifiedDestination(pool, user)
  if (destination === undefined) throw noVerifiedAddress()
  const code = newCode(engine, pool, user, 'password', destination.to)
  const message = await newMessage(
    engine,
    caller,
    user,
    'ForgotPassword',
    destination,
    code,
    clientMetadata,
    isHidden,
  )
  await apply(engine, {
    ...change,
    pool: pool.id,
    now: engine.clock.now(),
    puts: [code.credential],
    messages: [message],
  })
  await deliver(engine, caller, user, message, isHidden)
  return destination
}

/** Returns the error for an account whose password cannot be reset. Returns undefined if the password can be reset. */
export function resetRefusal(pool: PoolSettings, user: User): UserPoolError | undefined {
  if (!user.enabled) return new UserPoolError('NotAuthorizedException', 'User is disabled.')
  if (user.status === 'FORCE_CHANGE_PASSWORD' || user.status === 'EXTERNAL_PROVIDER')
    return new UserPoolError('NotAuthorizedException', 'User password cannot be reset in the current state.')
  return verifiedDestination(pool, user) === undefined ? noVerifiedAddress() : undefined
}

/**
 * Returns the address that the code for a new password is sent to. A phone number is not used when SMS codes are the
 * user's second factor, because a stolen phone would then be enough to sign in. If only administrators can reset
 * passwords, every verified address can receive the code.
 */
function verifiedDestination(
  { recovery }: PoolSettings,
  { attributes, factors }: User,
): Destination | undefined {
  const isTextFactor = factors?.enabled.includes('sms') === true
  const allowed =
    recovery === 'legacy'
      ? (['phone', 'email'] as const)
      : recovery.filter(each => each === 'email' || !isTextFactor)
  const kinds = recovery.length === 0 ? (['email', 'phone'] as const) : allowed
  for (const kind of kinds) {
    const attribute = kind === 'email' ? 'email' : 'phone_number'
    if (attributes[`${attribute}_verified`] === 'true') return destinationOf(attributes, attribute)
  }
  return undefined
}

/**
 * Sets a new password for a user who enters the code, and ends every sign-in of the account.
 * @throws UserPoolError for a wrong code or a weak password, and when the trigger function fails. The new password is
 * valid even if that function fails.
 */
export async function confirmForgotPassword(
  engine: EngineContext,
  caller: ClientCaller,
  asked: {
    readonly username: string
    readonly code: string
    readonly password: string
    readonly clientMetadata: Metadata
  },
): Promise<void> {
  const { pool, client } = caller
  refuseWeakPassword(pool, asked.password)
  const found = await findUser(engine.store, pool, asked.username)
  if (found === undefined) {
    if (!client.hideUsers) throw unknownCombination()
    const feignedUser = { id: hiddenKey(engine, pool, asked.username) }
    await checkCode(engine, pool, feignedUser, 'password', asked.code, true)
    throw mismatch()
  }
  const { use, to } = await checkCode(engine, pool, found, 'password', asked.code, client.hideUsers)
  const { revision, ...before } = found
  const now = engine.clock.now()
  const user: User = {
    ...withAttributes(pool, before, { [`${provedAddress(found, to)}_verified`]: 'true' }),
    status: 'CONFIRMED',
    password: encryptedPassword(engine, pool, found, asked.password),
    passwordExpires: undefined,
    modified: now,
  }
  await applyAgain(engine, async () => ({
    pool: pool.id,
    now,
    uses: [use],
    users: [{ user, was: revision }, ...(await takenAliases(engine, pool, user, false))],
    ends: [{ user: user.id, kinds: ['grant', 'session', 'consent'] }],
  }))
  await postConfirmation(engine, caller, user, asked.clientMetadata, 'PostConfirmation_ConfirmForgotPassword')
}

function noVerifiedAddress(): UserPoolError {
  return invalidParameter(
    'Cannot reset password for the user as there is no registered/verified email or phone_number',
  )
}

function unknownCombination(): UserPoolError {
  return new UserPoolError('UserNotFoundException', 'Username/client id combination not found.')
}

import { randomUuid } from '@signalbox/platform-runtime'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext, FlowCaller, Metadata } from '../../context/engine-context.ts'
import type { StoredUser, User } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { refuseUnwritable } from '../../users/attribute-rights.ts'
import {
  type Attributes,
  aliasForm,
  eventAttributes,
  findUser,
  invalidParameter,
  normalized,
  readAttributes,
  refuseMissingAttributes,
  refuseProviderName,
  signInNamesOf,
  withAttributes,
  wrongKindOfName,
} from '../../users/attributes.ts'
import { apply, applyAgain } from '../apply.ts'
import { checkCode, mismatch, newCode, provedAddress, tooOften } from '../messages/codes.ts'
import { type Destination, destinationOf } from '../messages/destinations.ts'
import { deliver, newMessage } from '../messages/messages.ts'
import { takenAliases } from './aliases.ts'
import { feignedSending, hiddenKey } from './hidden-users.ts'
import { encryptedPassword, refuseWeakPassword } from './passwords.ts'

/** A user's request to create an account. */
export interface SignUp {
  readonly username: string
  readonly password: string
  readonly attributes: Attributes
  readonly validationData: Metadata
  readonly clientMetadata: Metadata
}

export interface SignedUp {
  readonly user: User
  /** The destination of the code. Undefined if no code was sent. */
  readonly destination: Destination | undefined
}

/**
 * Creates an account. A trigger function can confirm the account at once. Otherwise, the user gets a code.
 * @throws UserPoolError for a name that is taken, a weak password, and when the function denies the request or fails
 */
export async function signUp(engine: EngineContext, caller: ClientCaller, asked: SignUp): Promise<SignedUp> {
  const { store, callTrigger } = engine
  const { pool } = caller
  if (!pool.signUp)
    throw new UserPoolError('NotAuthorizedException', 'SignUp is not permitted for this user pool')
  refuseUnwritable(caller.client, Object.keys(asked.attributes))
  const identity = newIdentity(engine, pool, asked.username, asked.attributes)
  refuseWeakPassword(pool, asked.password)
  refuseMissingAttributes(pool, identity.attributes)
  const refuseTaken = async () => {
    for (const name of signInNamesOf(pool, identity.name, identity.attributes))
      if ((await findUser(store, pool, name)) !== undefined) throw exists()
  }
  await refuseTaken()
  await refuseFlood(engine, caller)
  const { validationData, clientMetadata } = asked
  const answer = await callTrigger(caller, 'PreSignUp_SignUp', {
    userName: identity.name,
    request: { userAttributes: identity.attributes, validationData, clientMetadata },
  })
  const verified = {
    ...(answer?.autoVerifyEmail && { email_verified: 'true' }),
    ...(answer?.autoVerifyPhone && { phone_number_verified: 'true' }),
  }
  if (answer?.autoVerifyEmail && !identity.attributes.email) throw unverifiable('Email')
  if (answer?.autoVerifyPhone && !identity.attributes.phone_number) throw unverifiable('Phone number')
  const isConfirmed = answer?.autoConfirmUser === true
  const now = engine.clock.now()
  const user = withAttributes(
    pool,
    {
      ...identity,
      status: isConfirmed ? 'CONFIRMED' : 'UNCONFIRMED',
      enabled: true,
      password: encryptedPassword(engine, pool, identity, asked.password),
      signInNames: [],
      created: now,
      modified: now,
    },
    verified,
  )
  const destination = isConfirmed ? undefined : codeDestination(pool, user)
  const code = destination && newCode(engine, pool, user, 'sign-up', destination.to)
  const message =
    destination && (await newMessage(engine, caller, user, 'SignUp', destination, code!, clientMetadata))
  await applyAgain(engine, async () => {
    await refuseTaken()
    return {
      pool: pool.id,
      now,
      users: [{ user, was: undefined }, ...(await takenAliases(engine, pool, user, true))],
      ...(code && { puts: [code.credential] }),
      ...(message && { messages: [message] }),
    }
  })
  if (message !== undefined) await deliver(engine, caller, user, message)
  if (isConfirmed) await postConfirmation(engine, caller, user, clientMetadata)
  return { user, destination }
}

/**
 * Counts a sign-up, because anyone may sign up, and each sign-up stores an account and sends a message. All platforms
 * that share a database count together.
 * @throws UserPoolError when there are too many
 */
async function refuseFlood({ store, vault, clock }: EngineContext, { pool, address }: ClientCaller) {
  const { signUps, signUpsPerAddress } = pool.limits
  const now = clock.now()
  const counts = (key: string, most: number) => store.count(pool.id, key, { most, window: hour }, now)
  // The address comes first, so that a single client cannot use up the sign-ups of all.
  const digest = address && vault.digest(address, `sign-ups ${pool.id}`)
  const isAllowed =
    (digest === undefined || (await counts(`sign-ups ${digest}`, signUpsPerAddress))) &&
    (await counts('sign-ups', signUps))
  if (!isAllowed) throw new UserPoolError('TooManyRequestsException', 'Too many sign-ups. Try again later.')
}

/**
 * Returns the new account of a user who signs up, without storing it. Where users sign up with an address, the name is
 * that address.
 * @throws UserPoolError for a malformed name, for a name of a kind that users of the pool cannot sign in with, and for
 * an attribute that contains another address than the name
 */
export function newIdentity(
  { random }: EngineContext,
  pool: PoolSettings,
  username: string,
  sent: Attributes,
) {
  const id = randomUuid(random)
  if (pool.signIn.includes('name')) {
    refuseBadName(pool, username)
    return { id, name: username, attributes: sent }
  }
  const name = attributeOfName(pool, username)
  if (name === undefined) throw wrongKindOfName(pool)
  refuseMalformedName(username)
  const named = readAttributes(pool, [{ Name: name, Value: username }], false)
  const other = sent[name]
  if (other && normalized(other) !== normalized(username))
    throw invalidParameter(
      `User ${name} should be empty or same as username, since username attribute is ${name}.`,
    )
  return { id, name: id, attributes: { ...sent, ...named } }
}

/** Returns the attribute that holds the name of a new account, or undefined for a name that the pool does not allow. */
function attributeOfName(pool: PoolSettings, username: string) {
  const form = aliasForm(pool, username)
  if (form === 'email') return 'email'
  if (form === 'phone number') return 'phone_number'
  return pool.signIn.includes('preferred_username') ? 'preferred_username' : undefined
}

/**
 * Checks the user name of a new account in a pool whose users sign in with names.
 * @throws UserPoolError for a name that looks like an alias or like the name of a provider's user
 */
export function refuseBadName(pool: PoolSettings, name: string): void {
  refuseMalformedName(name)
  refuseProviderName(pool, name)
  const form = aliasForm(pool, name)
  if (form !== undefined)
    throw invalidParameter(
      `Username cannot be of ${form} format, since user pool is configured for ${form} alias.`,
    )
}

/**
 * Checks the characters and the length of a user name.
 * @throws UserPoolError for a name that clients cannot send, such as an empty one
 */
function refuseMalformedName(name: string): void {
  if (!/^[\p{L}\p{M}\p{S}\p{N}\p{P}]{1,128}$/u.test(name))
    throw invalidParameter('Username should be 1 to 128 letters, digits, symbols and punctuation marks.')
}

/**
 * Returns the destination of a sign-up code: an address that is not verified yet, or else a verified one, because the
 * code also confirms the account.
 */
function codeDestination({ verify }: PoolSettings, { attributes }: User): Destination | undefined {
  const destinations = verify.flatMap(
    kind => destinationOf(attributes, kind === 'email' ? 'email' : 'phone_number') ?? [],
  )
  const unverified = destinations.find(({ attribute }) => attributes[`${attribute}_verified`] !== 'true')
  return unverified ?? destinations[0]
}

/**
 * Confirms an account with a sign-up code.
 * @throws UserPoolError for a wrong code, and when the trigger function fails. The account stays confirmed even if that
 * function fails.
 */
export async function confirmSignUp(
  engine: EngineContext,
  caller: ClientCaller,
  asked: {
    readonly username: string
    readonly code: string
    readonly forceAlias: boolean
    readonly clientMetadata: Metadata
  },
): Promise<void> {
  const { pool, client } = caller
  const found = await findUser(engine.store, pool, asked.username)
  if (client.hideUsers && found?.status !== 'UNCONFIRMED') {
    const id = found?.id ?? hiddenKey(engine, pool, asked.username)
    await checkCode(engine, pool, { id }, 'sign-up', asked.code, true)
    throw mismatch()
  }
  if (found === undefined) throw unknownUser()
  refuseConfirmed(found)
  const { use, to } = await checkCode(engine, pool, found, 'sign-up', asked.code, client.hideUsers)
  const { revision, ...before } = found
  const now = engine.clock.now()
  const user: User = {
    ...withAttributes(pool, before, { [`${provedAddress(found, to)}_verified`]: 'true' }),
    status: 'CONFIRMED',
    modified: now,
  }
  await applyAgain(engine, async () => ({
    pool: pool.id,
    now,
    uses: [use],
    users: [{ user, was: revision }, ...(await takenAliases(engine, pool, user, asked.forceAlias))],
  }))
  await postConfirmation(engine, caller, user, asked.clientMetadata)
}

/**
 * Checks that an account still needs its confirmation.
 * @throws UserPoolError for an account that needs no confirmation
 */
export function refuseConfirmed({ status }: User): void {
  if (status === 'UNCONFIRMED') return
  throw new UserPoolError('NotAuthorizedException', `User cannot be confirmed. Current status is ${status}`)
}

export async function postConfirmation(
  engine: EngineContext,
  caller: FlowCaller,
  user: User,
  clientMetadata: Metadata,
  source:
    | 'PostConfirmation_ConfirmSignUp'
    | 'PostConfirmation_ConfirmForgotPassword' = 'PostConfirmation_ConfirmSignUp',
): Promise<void> {
  await engine.callTrigger(caller, source, {
    userName: user.name,
    request: { userAttributes: eventAttributes(caller.pool, user), clientMetadata },
  })
}

const hour = 3_600_000

/**
 * Sends a new sign-up code. The previous code becomes invalid.
 * @throws UserPoolError when codes are requested too often, or for an account that needs no confirmation
 */
export async function resendCode(
  engine: EngineContext,
  caller: ClientCaller,
  username: string,
  clientMetadata: Metadata,
): Promise<Destination> {
  const { store, clock } = engine
  const { pool, client } = caller
  const user = await findUser(store, pool, username)
  const now = clock.now()
  const key = `resend ${user?.id ?? hiddenKey(engine, pool, username)}`
  if (!(await store.count(pool.id, key, { most: 5, window: hour }, now))) throw tooOften()
  const destination = user?.status === 'UNCONFIRMED' ? codeDestination(pool, user) : undefined
  if (user === undefined || destination === undefined) {
    if (client.hideUsers)
      return feignedSending(
        engine,
        caller,
        username,
        user,
        { purpose: 'sign-up', occasion: 'ResendCode' },
        clientMetadata,
      )
    if (user === undefined) throw unknownUser()
    throw invalidParameter(
      user.status === 'UNCONFIRMED' ? 'Auto verification not turned on.' : 'User is already confirmed.',
    )
  }
  const code = newCode(engine, pool, user, 'sign-up', destination.to)
  const message = await newMessage(
    engine,
    caller,
    user,
    'ResendCode',
    destination,
    code,
    clientMetadata,
    client.hideUsers,
  )
  await apply(engine, { pool: pool.id, now, puts: [code.credential], messages: [message] })
  await deliver(engine, caller, user, message, client.hideUsers)
  return destination
}

export function unknownUser(): UserPoolError {
  return new UserPoolError('UserNotFoundException', 'User does not exist.')
}

function exists(): UserPoolError {
  return new UserPoolError('UsernameExistsException', 'User already exists')
}

function unverifiable(what: string): UserPoolError {
  return new UserPoolError(
    'InvalidParameterException',
    `${what} cannot be auto verified when it is missing from the user attributes`,
  )
}

/**
 * Finds an account.
 * @throws UserPoolError for an unknown account
 */
export async function existingUser(
  { store }: Pick<EngineContext, 'store'>,
  pool: PoolSettings,
  name: string,
): Promise<StoredUser> {
  const user = await findUser(store, pool, name)
  if (user === undefined) throw unknownUser()
  return user
}

import type { EngineContext, FlowCaller, Metadata } from '../../context/engine-context.ts'
import type { StoredUser, User } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import {
  type Attributes,
  findUser,
  invalidParameter,
  refuseMissingAttributes,
  signInNamesOf,
  withAttributes,
} from '../../users/attributes.ts'
import { apply, applyAgain } from '../apply.ts'
import { type Destination, destinationOf } from '../messages/destinations.ts'
import { deliver, newMessage } from '../messages/messages.ts'
import { sessionsOf } from '../sign-in/sessions.ts'
import { takenAliases } from './aliases.ts'
import { encryptedPassword, refuseWeakPassword } from './passwords.ts'
import { newIdentity, unknownUser } from './sign-up.ts'

/** An administrator's request to create an account. */
export interface Invitation {
  readonly username: string
  /** The temporary password. When undefined, a random one is generated. */
  readonly password: string | undefined
  readonly attributes: Attributes
  readonly validationData: Metadata
  readonly clientMetadata: Metadata
  /** `SUPPRESS` sends no message. `RESEND` sends the message again for an existing account. */
  readonly action: string | undefined
  readonly media: readonly string[] | undefined
  readonly forceAlias: boolean
}

/**
 * Creates an account for a user who has to choose a password at the first sign-in. The pre-sign-up function cannot
 * confirm the account or verify its addresses.
 * @throws UserPoolError for a name that is taken, and when the trigger function denies the request or fails
 */
export async function adminCreateUser(
  engine: EngineContext,
  caller: FlowCaller,
  asked: Invitation,
): Promise<User> {
  const { pool } = caller
  if (asked.action === 'RESEND') return resendInvitation(engine, caller, asked)
  const identity = newIdentity(engine, pool, asked.username, asked.attributes)
  const password = asked.password ?? temporaryPassword(engine)
  if (asked.password !== undefined) refuseWeakPassword(pool, password)
  refuseMissingAttributes(pool, identity.attributes)
  const isNamed = pool.signIn.includes('name')
  const refuseTaken = async () => {
    for (const name of signInNamesOf(pool, identity.name, isNamed ? {} : identity.attributes))
      if ((await findUser(engine.store, pool, name)) !== undefined)
        throw new UserPoolError(
          'UsernameExistsException',
          isNamed
            ? 'User account already exists'
            : `An account with the given ${name.includes('@') ? 'email' : 'phone number'} already exists.`,
        )
  }
  await refuseTaken()
  await engine.callTrigger(caller, 'PreSignUp_AdminCreateUser', {
    userName: identity.name,
    request: {
      userAttributes: identity.attributes,
      validationData: asked.validationData,
      clientMetadata: asked.clientMetadata,
    },
  })
  const now = engine.clock.now()
  const user = withAttributes(
    pool,
    {
      ...identity,
      status: 'FORCE_CHANGE_PASSWORD',
      enabled: true,
      password: encryptedPassword(engine, pool, identity, password),
      passwordExpires: now + pool.password.temporary,
      signInNames: [],
      created: now,
      modified: now,
    },
    {},
  )
  const messages = await invitations(engine, caller, user, password, asked)
  await applyAgain(engine, async () => {
    await refuseTaken()
    return {
      pool: pool.id,
      now,
      users: [{ user, was: undefined }, ...(await takenAliases(engine, pool, user, asked.forceAlias))],
      messages,
    }
  })
  for (const message of messages) await deliver(engine, caller, user, message)
  return user
}

async function resendInvitation(engine: EngineContext, caller: FlowCaller, asked: Invitation): Promise<User> {
  const { pool } = caller
  const found: StoredUser | undefined = await findUser(engine.store, pool, asked.username)
  if (found === undefined) throw unknownUser()
  if (found.status !== 'FORCE_CHANGE_PASSWORD')
    throw new UserPoolError(
      'UnsupportedOperationException',
      `Resend not possible. ${found.name} status is not FORCE_CHANGE_PASSWORD`,
    )
  const { revision, ...before } = found
  const password = asked.password ?? temporaryPassword(engine)
  if (asked.password !== undefined) refuseWeakPassword(pool, password)
  const now = engine.clock.now()
  const user: User = {
    ...before,
    password: encryptedPassword(engine, pool, found, password),
    passwordExpires: now + pool.password.temporary,
    modified: now,
  }
  const messages = await invitations(engine, caller, user, password, asked)
  await apply(engine, {
    pool: pool.id,
    now,
    users: [{ user, was: revision }],
    ends: [sessionsOf(found)],
    messages,
  })
  for (const message of messages) await deliver(engine, caller, user, message)
  return user
}

async function invitations(
  engine: EngineContext,
  caller: FlowCaller,
  user: User,
  password: string,
  { action, media, clientMetadata }: Invitation,
) {
  if (action === 'SUPPRESS') return []
  if (action !== undefined && action !== 'RESEND')
    throw invalidParameter('MessageAction must be RESEND or SUPPRESS.')
  const secret = { code: password, ends: user.passwordExpires! }
  const all = (['email', 'phone_number'] as const).flatMap(name => destinationOf(user.attributes, name) ?? [])
  const wanted: readonly Destination[] =
    media === undefined ? all.slice(0, 1) : all.filter(({ medium }) => media.includes(medium))
  return Promise.all(
    wanted.map(destination =>
      newMessage(engine, caller, user, 'AdminCreateUser', destination, secret, clientMetadata),
    ),
  )
}

const letters = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '!#$%*+-?=']

/** Returns a random password that satisfies every policy whose minimum length is at most sixteen. */
function temporaryPassword({ random }: EngineContext): string {
  const bytes = random(16)
  return Array.from(bytes, (byte, at) => {
    const set = letters[at % letters.length]!
    return set[byte % set.length]
  }).join('')
}

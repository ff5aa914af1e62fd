import { randomUuid } from '@signalbox/platform-runtime'
import type { ClientCaller, EngineContext, Metadata } from '../../context/engine-context.ts'
import type { StoredUser, User } from '../../store/user-pool-store.ts'
import { findUser, readAttributes, withAttributes } from '../../users/attributes.ts'
import { applyAgain } from '../apply.ts'
import { newCode } from '../messages/codes.ts'
import { type Destination, destinationOf } from '../messages/destinations.ts'
import { deliver, newMessage } from '../messages/messages.ts'
import { hasTrigger } from '../triggers/call-trigger.ts'
import { takenAliases } from './aliases.ts'
import { encryptedPassword } from './passwords.ts'
import { refuseBadName } from './sign-up.ts'

/**
 * Migrates an account from another directory if the pool's migration function finds it there. Returns undefined if the
 * pool has no migration function. Without `finalUserStatus: CONFIRMED`, the user has to choose a new password.
 * @param password undefined when the user has forgotten it
 * @throws UserPoolError when the function denies the request or fails, and for a user name that no account can have
 */
export async function migrated(
  engine: EngineContext,
  caller: ClientCaller,
  occasion: 'Authentication' | 'ForgotPassword',
  sentName: string,
  password: string | undefined,
  validationData: Metadata,
): Promise<StoredUser | undefined> {
  const { store, clock, random } = engine
  const { pool } = caller
  const source = `UserMigration_${occasion}` as const
  if (!hasTrigger(pool, source)) return undefined
  const answer = await engine.callTrigger(caller, source, {
    userName: sentName,
    request: {
      ...(password !== undefined && { password }),
      validationData,
      clientMetadata: occasion === 'ForgotPassword' ? validationData : {},
    } as never,
  })
  if (answer === undefined) return undefined
  const { username, sub: _, ...offered } = answer.userAttributes as { readonly [name: string]: string }
  const attributes = readAttributes(
    pool,
    Object.entries(offered)
      .filter(([name]) => !name.startsWith('pool:'))
      .map(([Name, Value]) => ({ Name, Value })),
    true,
  )
  const id = randomUuid(random)
  const now = clock.now()
  const isNamed = pool.signIn.includes('name')
  const name = isNamed ? (username ?? sentName) : id
  if (isNamed) refuseBadName(pool, name)
  const identity = { id, name }
  const status = answer.finalUserStatus === 'CONFIRMED' ? 'CONFIRMED' : 'RESET_REQUIRED'
  const isKept = password !== undefined && status === 'CONFIRMED'
  const user: User = withAttributes(
    pool,
    {
      ...identity,
      attributes,
      status,
      enabled: true,
      password: isKept ? encryptedPassword(engine, pool, identity, password) : undefined,
      ...(answer.enableSMSMFA === true && { factors: { enabled: ['sms' as const] } }),
      signInNames: [],
      created: now,
      modified: now,
    },
    {},
  )
  // No message is sent for a forgotten password, because the password reset sends its own code.
  const isSilent = isKept || occasion === 'ForgotPassword' || answer.messageAction === 'SUPPRESS'
  const destination = isSilent
    ? undefined
    : welcomeDestination(attributes, answer.desiredDeliveryMediums ?? ['EMAIL', 'SMS'])
  const code = destination && newCode(engine, pool, user, 'password', destination.to)
  const message =
    destination &&
    (await newMessage(
      engine,
      caller,
      user,
      'ForgotPassword',
      destination,
      code!,
      validationData,
      caller.client?.hideUsers,
    ))
  try {
    await applyAgain(engine, async () => ({
      pool: pool.id,
      now,
      users: [
        { user, was: undefined },
        ...(await takenAliases(engine, pool, user, answer.forceAliasCreation === true)),
      ],
      ...(code && { puts: [code.credential] }),
      ...(message && { messages: [message] }),
    }))
  } catch (error) {
    // A simultaneous request might have migrated the same account.
    const other = await findUser(store, pool, sentName)
    if (other === undefined) throw error
    return other
  }
  if (message !== undefined) await deliver(engine, caller, user, message)
  return findUser(store, pool, id)
}

/**
 * Returns the destination of the welcome message, which is the account's address for the first of these media. Media
 * without an address are skipped. Only one address gets the message, because its code proves that address.
 */
function welcomeDestination(
  attributes: User['attributes'],
  media: readonly Destination['medium'][],
): Destination | undefined {
  for (const medium of media) {
    const destination = destinationOf(attributes, medium === 'EMAIL' ? 'email' : 'phone_number')
    if (destination !== undefined) return destination
  }
  return undefined
}

import type { EngineContext, FlowCaller, Metadata } from '../../context/engine-context.ts'
import type { Message, StoredUser, User } from '../../store/user-pool-store.ts'
import type { UserPoolError } from '../../user-pool-error.ts'
import { refuseImmutable, refuseUnwritable } from '../../users/attribute-rights.ts'
import {
  type Attributes,
  hasAttribute,
  invalidParameter,
  refuseUnknownAttribute,
  withAttributes,
} from '../../users/attributes.ts'
import { apply, applyAgain } from '../apply.ts'
import { checkCode, expired, newCode, tooOften } from '../messages/codes.ts'
import { type Destination, destinationOf } from '../messages/destinations.ts'
import { deliver, newMessage } from '../messages/messages.ts'
import { consume } from '../sign-in/consumption.ts'
import { sessionsOf } from '../sign-in/sessions.ts'
import { locked, wrongPassword } from '../sign-in/subject.ts'
import { takenAliases } from './aliases.ts'
import { verifiedImport } from './imported-passwords.ts'
import { encryptedPassword, isPassword, recognitionOf, refuseWeakPassword } from './passwords.ts'

const hour = 3_600_000

/**
 * Replaces a password that the user still knows.
 * @throws UserPoolError for a wrong or weak password, and after too many attempts
 */
export async function changePassword(
  engine: EngineContext,
  caller: FlowCaller,
  found: StoredUser,
  previous: string,
  proposed: string,
): Promise<void> {
  const { store, clock } = engine
  const { pool } = caller
  const now = clock.now()
  if (!(await store.count(pool.id, `change ${found.id}`, { most: 5, window: hour }, now))) throw tooOften()
  refuseWeakPassword(pool, proposed)
  const key = `password ${found.id}`
  if (await store.isLocked(pool.id, key, now)) throw locked()
  const recognition = recognitionOf(engine, pool, found)
  const countWrong = () => consume(engine, caller, { attempt: { key, isRight: false } })
  const account =
    recognition === undefined
      ? await verifiedImport(engine, pool, found, previous, countWrong)
      : isPassword(pool, recognition, previous)
        ? found
        : undefined
  if (account === undefined) {
    if (recognition !== undefined) await countWrong()
    throw wrongPassword()
  }
  const { revision, ...before } = account
  const user: User = { ...before, password: encryptedPassword(engine, pool, found, proposed), modified: now }
  await apply(engine, {
    pool: pool.id,
    now,
    users: [{ user, was: revision }],
    ends: [sessionsOf(found)],
    attempt: { key, isRight: true },
  })
}

/** The address attributes that can be verified with a code. */
type Address = 'email' | 'phone_number'

const addresses: readonly Address[] = ['email', 'phone_number']

/**
 * Changes attributes. A new address is unverified. If the pool verifies addresses of this kind, it sends a code to the
 * new address.
 * @param isAdmin whether the caller may mark an address as verified
 */
export async function updateAttributes(
  engine: EngineContext,
  caller: FlowCaller,
  found: StoredUser,
  changed: Attributes,
  clientMetadata: Metadata,
  isAdmin = false,
): Promise<readonly Destination[]> {
  const { clock } = engine
  const { pool } = caller
  refuseUnwritable(caller.client, Object.keys(changed))
  refuseImmutable(pool, Object.keys(changed))
  const { revision, ...before } = found
  const now = clock.now()
  const moved = addresses.filter(
    name => changed[name] !== undefined && changed[name] !== found.attributes[name],
  )
  const unverified = Object.fromEntries(moved.map(name => [`${name}_verified`, 'false']))
  const attributes = { ...unverified, ...changed }
  for (const name of Object.keys(changed))
    if (changed[name] === '' && pool.required.includes(name)) throw requiredAttribute(name)
  const user: User = {
    ...withAttributes(
      pool,
      before,
      Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [name, value === '' ? undefined : value]),
      ),
    ),
    modified: now,
  }
  refuseNoAddress(pool, found, user)
  const sent: { destination: Destination; code: ReturnType<typeof newCode>; message: Message }[] = []
  for (const name of moved) {
    const isVerifiedByPool = pool.verify.includes(name === 'email' ? 'email' : 'phone')
    const destination = destinationOf(user.attributes, name)
    if (!isVerifiedByPool || destination === undefined || user.attributes[`${name}_verified`] === 'true')
      continue
    const code = newCode(engine, pool, user, name, destination.to)
    sent.push({
      destination,
      code,
      message: await newMessage(
        engine,
        caller,
        user,
        'UpdateUserAttribute',
        destination,
        code,
        clientMetadata,
      ),
    })
  }
  await applyAgain(engine, async () => ({
    pool: pool.id,
    now,
    users: [{ user, was: revision }, ...(await takenAliases(engine, pool, user, isAdmin))],
    puts: sent.map(({ code }) => code.credential),
    messages: sent.map(({ message }) => message),
  }))
  for (const { message } of sent) await deliver(engine, caller, user, message)
  return sent.map(({ destination }) => destination)
}

/**
 * Deletes attributes of a user.
 * @throws UserPoolError if every user of the pool must have one of these attributes
 */
export async function deleteAttributes(
  engine: EngineContext,
  { pool, client }: FlowCaller,
  found: StoredUser,
  names: readonly string[],
  isAdmin = false,
): Promise<void> {
  const { revision, ...before } = found
  const now = engine.clock.now()
  refuseAbsent(pool, names)
  refuseUnwritable(client, names)
  refuseImmutable(pool, names)
  for (const name of names) {
    refuseUnknownAttribute(pool, name, isAdmin)
    if (pool.required.includes(name)) throw requiredAttribute(name)
  }
  const gone = names.flatMap(name =>
    name === 'email' || name === 'phone_number' ? [name, `${name}_verified`] : [name],
  )
  const user: User = {
    ...withAttributes(pool, before, Object.fromEntries(gone.map(name => [name, undefined]))),
    modified: now,
  }
  refuseNoAddress(pool, found, user)
  await apply(engine, { pool: pool.id, now, users: [{ user, was: revision }] })
}

/**
 * Checks that a user who signs in with an address still has one.
 * @throws UserPoolError for a change that takes the user's last address away
 */
function refuseNoAddress(
  { signIn }: FlowCaller['pool'],
  { signInNames: before }: StoredUser,
  { signInNames: after }: User,
): void {
  if (!signIn.includes('name') && before.length > 1 && after.length < 2)
    throw invalidParameter('A user needs an address to sign in with.')
}

/**
 * Refuses unknown attribute names.
 * @throws UserPoolError that lists the attributes that the pool does not have
 */
function refuseAbsent(pool: FlowCaller['pool'], names: readonly string[]): void {
  const absent = names.filter(name => !hasAttribute(pool, name))
  if (absent.length === 0) return
  const sentences = absent.map(name => `user.${name}: Attribute does not exist in the schema.\n`)
  throw invalidParameter(`Invalid user attributes: ${sentences.join('')}`)
}

function requiredAttribute(name: string): UserPoolError {
  return invalidParameter(`User attribute ${name} is required and cannot be deleted.`)
}

/** Sends a code that verifies an address. */
export async function sendVerification(
  engine: EngineContext,
  caller: FlowCaller,
  user: StoredUser,
  name: string,
  clientMetadata: Metadata,
): Promise<Destination> {
  const { store, clock } = engine
  const { pool } = caller
  const attribute = addressNamed(name)
  const destination = destinationOf(user.attributes, attribute)
  if (destination === undefined) throw invalidParameter(`The user has no ${attribute}.`)
  const now = clock.now()
  if (!(await store.count(pool.id, `verify ${attribute} ${user.id}`, { most: 5, window: hour }, now)))
    throw tooOften()
  const code = newCode(engine, pool, user, attribute, destination.to)
  const message = await newMessage(
    engine,
    caller,
    user,
    'VerifyUserAttribute',
    destination,
    code,
    clientMetadata,
  )
  await apply(engine, { pool: pool.id, now, puts: [code.credential], messages: [message] })
  await deliver(engine, caller, user, message)
  return destination
}

/**
 * Verifies an address with the code that was sent to it.
 * @throws UserPoolError for a wrong code, and for an address that belongs to another account
 */
export async function verifyAttribute(
  engine: EngineContext,
  { pool }: FlowCaller,
  found: StoredUser,
  name: string,
  code: string,
): Promise<void> {
  const attribute = addressNamed(name)
  const { use, to } = await checkCode(engine, pool, found, attribute, code)
  // The code was sent to an address that the user no longer has.
  if (found.attributes[attribute] !== to) throw expired()
  const { revision, ...before } = found
  const now = engine.clock.now()
  const user: User = { ...withAttributes(pool, before, { [`${attribute}_verified`]: 'true' }), modified: now }
  await applyAgain(engine, async () => ({
    pool: pool.id,
    now,
    uses: [use],
    users: [{ user, was: revision }, ...(await takenAliases(engine, pool, user, false))],
  }))
}

function addressNamed(name: string): Address {
  const found = addresses.find(each => each === name)
  if (found === undefined) throw invalidParameter(`Verification is not supported for ${name}.`)
  return found
}

/** Deletes an account and all its data. */
export async function deleteUser(
  engine: EngineContext,
  { pool }: FlowCaller,
  user: StoredUser,
): Promise<void> {
  await apply(engine, {
    pool: pool.id,
    now: engine.clock.now(),
    removedUser: { id: user.id, was: user.revision },
  })
}

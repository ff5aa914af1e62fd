import { randomUuid } from '@signalbox/platform-runtime'
import type { ClientCaller, EngineContext, Metadata } from '../../context/engine-context.ts'
import type { StoredUser } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { type Attributes, aliasForm, eventAttributes, findUser, normalized } from '../../users/attributes.ts'
import { hiddenKey } from '../accounts/hidden-users.ts'
import { feignedRecognition, type Recognition, recognitionOf } from '../accounts/passwords.ts'
import { unknownUser } from '../accounts/sign-up.ts'

/** The user who signs in. This can be an account, or a name without an account that is treated like an account. */
export interface Subject {
  readonly user: StoredUser | undefined
  /** The user name in trigger events. Clients get `recognition.owner` instead of this name. */
  readonly name: string
  readonly recognition: Recognition
  /** Whether the account still has the password hash with which it was imported. `recognition` is then feigned. */
  readonly isImported: boolean
  /** The key for counting wrong passwords. */
  readonly lockKey: string
  /** Whether the password that the client sent was counted as a wrong one already. */
  readonly isCounted?: boolean
}

/**
 * Returns the user who signs in with this name.
 * @param isCounted whether a wrong password was counted for the name, if it has no account
 * @throws UserPoolError for an unknown name when the client may know which users exist
 */
export async function subjectOf(
  engine: EngineContext,
  caller: ClientCaller,
  sentName: string,
  isCounted = false,
): Promise<Subject> {
  const { pool, client } = caller
  const user = await findUser(engine.store, pool, sentName)
  if (user === undefined && !client.hideUsers) throw unknownUser()
  if (user !== undefined) return knownSubject(engine, caller, user)
  const name = feignedName(engine, caller, sentName)
  return {
    user,
    name,
    recognition: feignedRecognition(engine, pool, normalized(sentName), name),
    isImported: false,
    lockKey: `password ${hiddenKey(engine, pool, sentName)}`,
    isCounted,
  }
}

/** Returns the subject of a sign-in with an existing account. */
function knownSubject(engine: EngineContext, { pool }: ClientCaller, user: StoredUser): Subject {
  const recognition = recognitionOf(engine, pool, user)
  return {
    user,
    name: user.name,
    recognition: recognition ?? feignedRecognition(engine, pool, user.id, normalized(user.name)),
    isImported: recognition === undefined && user.password !== undefined,
    lockKey: `password ${user.id}`,
  }
}

/**
 * Returns a made-up user name for a name without an account. The result is always the same for the same name. If the
 * name looks like an alias, the result is a UUID, because an alias is never the user name of an account.
 */
function feignedName({ vault }: EngineContext, { pool }: ClientCaller, sentName: string): string {
  if (pool.signIn.includes('name') && aliasForm(pool, sentName) === undefined) return normalized(sentName)
  return randomUuid(size => vault.derive(normalized(sentName), `feigned sub ${pool.id}`, size))
}

/** Returns the fields of trigger events that describe the user who signs in. */
export function subjectRequest(
  { pool }: ClientCaller,
  { user }: Subject,
): { userAttributes: Attributes; userNotFound?: boolean } {
  return user === undefined
    ? { userAttributes: {}, userNotFound: true }
    : {
        userAttributes: eventAttributes(pool, user),
        ...(pool.clients.some(each => each.hideUsers) && { userNotFound: false }),
      }
}

/**
 * Calls the function of the trigger PreAuthentication.
 * @throws UserPoolError when the function denies the request or fails
 */
export async function preAuthentication(
  engine: EngineContext,
  caller: ClientCaller,
  subject: Subject,
  validationData: Metadata,
): Promise<void> {
  await engine.callTrigger(caller, 'PreAuthentication_Authentication', {
    userName: subject.name,
    request: { ...subjectRequest(caller, subject), validationData },
  })
}

/** Returns the error for a wrong name or a wrong password. */
export function wrongPassword(): UserPoolError {
  return new UserPoolError('NotAuthorizedException', 'Incorrect username or password.')
}

export function locked(): UserPoolError {
  return new UserPoolError('NotAuthorizedException', 'Password attempts exceeded')
}

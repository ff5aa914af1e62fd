import { randomUuid } from '@signalbox/platform-runtime'
import type { StoredUser } from '../store/user-pool-store.ts'
import { UserPoolError } from '../user-pool-error.ts'
import { type Attributes, eventAttributes, findUser, normalized } from './accounts.ts'
import type { ClientCaller, EngineContext, Metadata } from './engine-context.ts'
import { feignedRecognition, type Recognition, recognitionOf } from './passwords.ts'
import { hiddenKey, unknownUser } from './sign-up.ts'

/** Who signs in: an account, or a name that has none and is treated as if it had. */
export interface Subject {
  readonly user: StoredUser | undefined
  /** The user name that SRP and triggers know. */
  readonly name: string
  readonly recognition: Recognition
  /** Where wrong passwords are counted. */
  readonly lockKey: string
}

/**
 * The account behind a name.
 * @throws UserPoolError when there is none and the client may know it
 */
export async function subjectOf(
  engine: EngineContext,
  caller: ClientCaller,
  given: string,
): Promise<Subject> {
  const { pool, client } = caller
  const user = await findUser(engine.store, pool, given)
  if (user === undefined && !client.hideUsers) throw unknownUser()
  if (user !== undefined) return knownSubject(engine, caller, user)
  return {
    user,
    name: feignedName(engine, caller, given),
    recognition: feignedRecognition(engine, pool, normalized(given)),
    lockKey: `password ${hiddenKey(engine, pool, given)}`,
  }
}

/** An account as the one that signs in. */
function knownSubject(engine: EngineContext, { pool }: ClientCaller, user: StoredUser): Subject {
  return {
    user,
    name: user.name,
    recognition: recognitionOf(engine, pool, user) ?? feignedRecognition(engine, pool, user.id),
    lockKey: `password ${user.id}`,
  }
}

/** The user name of somebody who has no account: always the same for what was given. */
function feignedName({ vault }: EngineContext, { pool }: ClientCaller, given: string): string {
  if (pool.signIn.includes('name')) return normalized(given)
  return randomUuid(size => vault.derive(normalized(given), `feigned sub ${pool.id}`, size))
}

/** What triggers are told about who signs in. */
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

/** @throws UserPoolError when the function denies or fails */
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

/** What is said whatever was wrong about a name or a password. */
export function wrongPassword(): UserPoolError {
  return new UserPoolError('NotAuthorizedException', 'Incorrect username or password.')
}

export function locked(): UserPoolError {
  return new UserPoolError('NotAuthorizedException', 'Password attempts exceeded')
}

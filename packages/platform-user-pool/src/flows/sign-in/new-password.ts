import type { ClientCaller, EngineContext, Metadata } from '../../context/engine-context.ts'
import type { User } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { refuseUnwritable } from '../../users/attribute-rights.ts'
import { type Attributes, refuseMissingAttributes, withAttributes } from '../../users/attributes.ts'
import { takenAliases } from '../accounts/aliases.ts'
import { encryptedPassword, refuseWeakPassword } from '../accounts/passwords.ts'
import { apply } from '../apply.ts'
import { asksForMore, goOn } from '../factors/second-factors.ts'
import { postAuthentication, signedIn } from './complete-sign-in.ts'
import { findSession, usedSession } from './sessions.ts'
import type { SignInResult } from './sign-in-result.ts'

/**
 * Replaces a temporary password with one that the user has chosen.
 * @throws UserPoolError for a weak password, and for attributes that must not be set. The session stays valid.
 */
export async function answerNewPassword(
  engine: EngineContext,
  caller: ClientCaller,
  handle: string | undefined,
  password: string,
  attributes: Attributes,
  clientMetadata: Metadata,
): Promise<SignInResult> {
  const { pool } = caller
  const { state, use } = await findSession(engine, caller, 'NEW_PASSWORD_REQUIRED', handle)
  const proved = state.user === undefined ? undefined : await engine.store.user(pool.id, state.user)
  if (proved === undefined || proved.status !== 'FORCE_CHANGE_PASSWORD') throw usedSession()
  refuseWeakPassword(pool, password)
  refuseUnwritable(caller.client, Object.keys(attributes))
  const fixed = Object.keys(pool.rules).filter(name => pool.rules[name]?.mutable === false)
  refuseProvided([...pool.required, ...fixed, 'email', 'phone_number'], proved.attributes, attributes)
  const unverified = Object.fromEntries(
    ['email', 'phone_number']
      .filter(name => attributes[name] !== undefined)
      .map(name => [`${name}_verified`, 'false']),
  )
  const { revision: _, ...before } = withAttributes(pool, proved, {
    ...attributes,
    ...unverified,
  }) as typeof proved
  refuseMissingAttributes(pool, before.attributes)
  await takenAliases(engine, pool, before, false)
  const user: User = {
    ...before,
    status: 'CONFIRMED',
    password: encryptedPassword(engine, pool, proved, password),
    passwordExpires: undefined,
    modified: engine.clock.now(),
  }
  const progress = { ...state.progress, isNewPassword: true }
  if (asksForMore(pool, user, progress)) {
    // From here on, the new password is in use, even if a later step fails.
    const { revision: was } = proved
    await apply(engine, { pool: pool.id, now: user.modified, uses: [use], users: [{ user, was }] })
    const latest = (await engine.store.user(pool.id, user.id))!
    return goOn(engine, caller, latest, state.sentName, {}, clientMetadata, progress)
  }
  await postAuthentication(engine, caller, user, clientMetadata, progress)
  return signedIn(engine, caller, proved, proved, progress, { uses: [use] }, clientMetadata, user)
}

/**
 * Refuses existing attributes, because only `UpdateUserAttributes` changes addresses and required attributes.
 * Otherwise, a new address would count as verified because the old one was verified.
 * @throws UserPoolError for an attribute that the account has, even with the same value
 */
function refuseProvided(names: readonly string[], before: Attributes, chosen: Attributes): void {
  const name = names.find(each => chosen[each] !== undefined && (before[each] ?? '') !== '')
  if (name !== undefined)
    throw new UserPoolError('NotAuthorizedException', `Cannot modify an already provided ${name}`)
}

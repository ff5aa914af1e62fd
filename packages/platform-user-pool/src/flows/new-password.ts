import type { User } from '../store/user-pool-store.ts'
import { refuseMissingAttributes, withAttributes } from './accounts.ts'
import { postAuthentication, type SignInResult, signedIn } from './complete-sign-in.ts'
import type { ClientCaller, EngineContext, Metadata } from './engine-context.ts'
import { refuseWeakPassword, sealedPassword } from './passwords.ts'
import { findSession, usedSession } from './sessions.ts'

/**
 * Takes the password that a user chooses in place of the one that an administrator gave.
 * @throws UserPoolError for a weak password, which leaves the session as it was
 */
export async function answerNewPassword(
  engine: EngineContext,
  caller: ClientCaller,
  handle: string | undefined,
  password: string,
  attributes: { readonly [name: string]: string },
  clientMetadata: Metadata,
): Promise<SignInResult> {
  const { pool } = caller
  const { state, use } = await findSession(engine, caller, 'NEW_PASSWORD_REQUIRED', handle)
  const proved = state.user === undefined ? undefined : await engine.store.user(pool.id, state.user)
  if (proved === undefined || proved.status !== 'FORCE_CHANGE_PASSWORD') throw usedSession()
  refuseWeakPassword(pool, password)
  const { revision: _, ...before } = withAttributes(pool, proved, attributes) as typeof proved
  refuseMissingAttributes(pool, before.attributes)
  const user: User = {
    ...before,
    status: 'CONFIRMED',
    password: sealedPassword(engine, pool, proved, password),
    passwordExpires: undefined,
    modified: engine.clock.now(),
  }
  await postAuthentication(engine, caller, user, clientMetadata)
  const source = 'TokenGeneration_NewPasswordChallenge'
  return signedIn(engine, caller, proved, proved, source, { uses: [use] }, clientMetadata, user)
}

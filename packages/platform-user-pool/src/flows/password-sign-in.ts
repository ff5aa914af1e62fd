import { UserPoolError } from '../user-pool-error.ts'
import { findUser } from './accounts.ts'
import { completeSignIn, consume, type SignInResult } from './complete-sign-in.ts'
import type { ClientCaller, EngineContext, Metadata } from './engine-context.ts'
import { migrated } from './migration.ts'
import { isPassword } from './passwords.ts'
import { locked, preAuthentication, subjectOf, wrongPassword } from './subject.ts'

/**
 * Signs in by a password that the client sends.
 * @throws UserPoolError for a wrong name or password; both have the same error when the client must not know which
 * users exist
 */
export async function signInByPassword(
  engine: EngineContext,
  caller: ClientCaller,
  given: string,
  password: string,
  validationData: Metadata,
): Promise<SignInResult> {
  const { pool } = caller
  if ((await findUser(engine.store, pool, given)) === undefined) {
    const user = await migrated(engine, caller, 'Authentication', given, password, validationData)
    if (user?.status === 'RESET_REQUIRED')
      throw new UserPoolError('PasswordResetRequiredException', 'Password reset required for the user')
  }
  const subject = await subjectOf(engine, caller, given)
  await preAuthentication(engine, caller, subject, validationData)
  if (await engine.store.isLocked(pool.id, subject.lockKey, engine.clock.now())) throw locked()
  const isRight = isPassword(pool, subject.name, subject.recognition, password) && subject.user !== undefined
  const attempt = { key: subject.lockKey, isRight }
  if (!isRight) {
    await consume(engine, caller, { attempt })
    throw wrongPassword()
  }
  return completeSignIn(engine, caller, subject.user!, given, { attempt }, {})
}

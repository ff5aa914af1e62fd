import { UserPoolError } from '../../user-pool-error.ts'
import { findUser } from '../accounts/accounts.ts'
import { migrated } from '../accounts/migration.ts'
import { isPassword } from '../accounts/passwords.ts'
import type { ClientCaller, EngineContext, Metadata } from '../engine-context.ts'
import { goOn } from '../factors/second-factors.ts'
import { type Consumption, consume } from './consumption.ts'
import type { Progress } from './sessions.ts'
import type { SignInResult } from './sign-in-result.ts'
import { locked, preAuthentication, type Subject, subjectOf, wrongPassword } from './subject.ts'

/**
 * Signs a user in with a password that the client sends.
 * @throws UserPoolError for a wrong name or password. The error is the same in both cases if the client must not know
 * which users exist.
 */
export async function signInByPassword(
  engine: EngineContext,
  caller: ClientCaller,
  sentName: string,
  password: string,
  validationData: Metadata,
  progress: Progress = {},
): Promise<SignInResult> {
  const { pool } = caller
  if ((await findUser(engine.store, pool, sentName)) === undefined) {
    const user = await migrated(engine, caller, 'Authentication', sentName, password, validationData)
    if (user?.status === 'RESET_REQUIRED')
      throw new UserPoolError('PasswordResetRequiredException', 'Password reset required for the user')
  }
  const subject = await subjectOf(engine, caller, sentName)
  await preAuthentication(engine, caller, subject, validationData)
  return provePassword(engine, caller, subject, sentName, password, progress, {})
}

/**
 * Checks a password during a sign-in.
 * @throws UserPoolError for a wrong password, and for a locked account
 */
export async function provePassword(
  engine: EngineContext,
  caller: ClientCaller,
  subject: Subject,
  sentName: string,
  password: string,
  progress: Progress,
  before: Consumption,
): Promise<SignInResult> {
  const { pool } = caller
  if (await engine.store.isLocked(pool.id, subject.lockKey, engine.clock.now())) throw locked()
  const isRight = isPassword(pool, subject.recognition, password) && subject.user !== undefined
  const attempt = { key: subject.lockKey, isRight }
  if (!isRight) {
    await consume(engine, caller, { ...before, attempt })
    throw wrongPassword()
  }
  return goOn(engine, caller, subject.user!, sentName, { ...before, attempt }, {}, progress)
}

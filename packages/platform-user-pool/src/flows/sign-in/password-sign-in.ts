import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext, Metadata } from '../../context/engine-context.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { findUser } from '../../users/attributes.ts'
import { verifiedImport } from '../accounts/imported-passwords.ts'
import { migrated } from '../accounts/migration.ts'
import { isPassword } from '../accounts/passwords.ts'
import { takeOver } from '../accounts/pool-migration.ts'
import { goOn } from '../factors/second-factors.ts'
import { noticeLeakedPassword, noticeWrongAnswer } from '../messages/takeover-notice.ts'
import { hasTrigger } from '../triggers/call-trigger.ts'
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
  const isCounted = await migrateAtSignIn(engine, caller, sentName, password, validationData)
  const subject = await subjectOf(engine, caller, sentName, isCounted)
  await preAuthentication(engine, caller, subject, validationData)
  return provePassword(engine, caller, subject, sentName, password, progress, {})
}

/** Returns whether accounts can come from elsewhere when their users sign in with a password. */
export function canMigrate(pool: PoolSettings): boolean {
  return pool.migrateFrom !== undefined || hasTrigger(pool, 'UserMigration_Authentication')
}

/**
 * Migrates the account of a user who signs in with a password, if the pool has no account with this name and has a
 * migration function, or another pool that users come from.
 * @returns whether the password was counted as a wrong one already
 * @throws UserPoolError when the function or the other pool denies the request or fails, and when the user has to choose a
 * new password
 */
export async function migrateAtSignIn(
  engine: EngineContext,
  caller: ClientCaller,
  sentName: string,
  password: string,
  validationData: Metadata,
): Promise<boolean> {
  const { pool } = caller
  if (!canMigrate(pool)) return false
  if ((await findUser(engine.store, pool, sentName)) !== undefined) return false
  if (pool.migrateFrom !== undefined) return takeOver(engine, caller, pool.migrateFrom, sentName, password)
  const user = await migrated(engine, caller, 'Authentication', sentName, password, validationData)
  if (user?.status === 'RESET_REQUIRED')
    throw new UserPoolError('PasswordResetRequiredException', 'Password reset required for the user')
  return false
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
  const { isCounted = false } = subject
  if (!isCounted && (await engine.store.isLocked(pool.id, subject.lockKey, engine.clock.now())))
    throw locked()
  const isRight = isPassword(pool, subject.recognition, password)
  const countWrong = () =>
    consume(engine, caller, {
      ...before,
      ...(!isCounted && { attempt: { key: subject.lockKey, isRight: false } }),
    })
  const user = subject.isImported
    ? await verifiedImport(engine, pool, subject.user!, password, countWrong)
    : isRight
      ? subject.user
      : undefined
  const attempt = { key: subject.lockKey, isRight: true }
  if (user === undefined) {
    if (!subject.isImported) await countWrong()
    await noticeWrongAnswer(engine, caller, subject.user, subject.lockKey, sentName)
    throw wrongPassword()
  }
  noticeLeakedPassword(engine, caller, user, subject.lockKey, password)
  return goOn(engine, caller, user, sentName, { ...before, attempt }, {}, progress)
}

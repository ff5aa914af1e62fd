import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext } from '../../context/engine-context.ts'
import { standardAttributes, verifications } from '../../standard-attributes.ts'
import type { User } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import {
  findUser,
  invalidParameter,
  readAttributes,
  refuseMissingAttributes,
  withAttributes,
} from '../../users/attributes.ts'
import { apply } from '../apply.ts'
import { takenAliases } from './aliases.ts'
import { newIdentity } from './sign-up.ts'
import type { Imported } from './transfer.ts'

/** The CSV column for user names. */
export const nameColumn = 'cognito:username'
const factorColumn = 'cognito:mfa_enabled'

/** Returns the columns of Cognito's CSV format for importing users into a pool. */
export function csvHeader({ custom }: PoolSettings): readonly string[] {
  const names = Object.keys(custom).map(name => `custom:${name}`)
  return [...standardAttributes, ...verifications, ...names, factorColumn, nameColumn]
}

/**
 * Adds the user that a CSV row describes. The row has no password, so the user has to reset the password at the first
 * sign-in with a code that is sent to a verified address. No trigger is called. An existing account stays unchanged.
 */
export async function importRow(
  engine: EngineContext,
  pool: PoolSettings,
  row: { readonly [column: string]: string },
): Promise<Imported> {
  try {
    const { [nameColumn]: name = '', [factorColumn]: factor = '', ...columns } = row
    if (name === '') throw invalidParameter(`The column ${nameColumn} is empty.`)
    if ((await findUser(engine.store, pool, name)) !== undefined) return { Result: 'there' }
    const filled = Object.entries(columns).filter(([, value]) => value !== '')
    const attributes = readAttributes(
      pool,
      filled.map(([Name, Value]) => ({ Name, Value })),
      true,
    )
    const identity = newIdentity(engine, pool, name, attributes)
    refuseMissingAttributes(pool, identity.attributes)
    if (pool.recovery.length > 0 && !verifications.some(each => attributes[each] === 'true'))
      throw invalidParameter('The user has no verified address to reset the password by.')
    const now = engine.clock.now()
    const hasFactor = factor.toLowerCase() === 'true'
    if (hasFactor && !attributes.phone_number)
      throw invalidParameter(`The column ${factorColumn} is true, and the user has no phone number.`)
    const user: User = withAttributes(
      pool,
      {
        ...identity,
        status: 'RESET_REQUIRED',
        enabled: true,
        password: undefined,
        ...(hasFactor && { factors: { enabled: ['sms'] } }),
        signInNames: [],
        created: now,
        modified: now,
      },
      {},
    )
    await takenAliases(engine, pool, user, false)
    await apply(engine, { pool: pool.id, now, users: [{ user, was: undefined }] })
    return { Result: 'reset' }
  } catch (error) {
    if (!(error instanceof UserPoolError)) throw error
    return { Result: 'refused', Message: error.message }
  }
}

import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext } from '../../context/engine-context.ts'
import { type HashAlgorithm, readHash } from '../../hashes/password-hash.ts'
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
import { csvRow } from './csv-row.ts'
import { encryptedHash } from './imported-passwords.ts'
import { newIdentity } from './sign-up.ts'
import type { Imported } from './transfer.ts'

/** The CSV column for user names. */
const nameColumn = 'cognito:username'
const factorColumn = 'cognito:mfa_enabled'
/** The CSV column for password hashes of another service. */
const hashColumn = 'cognito:password_hash'

/** Returns what is wrong with the columns of a CSV file, as a sentence, or undefined. */
export function headerProblem(header: readonly string[] | undefined): string | undefined {
  if (header === undefined) return 'has a quote that is not closed.'
  if (!header.includes(nameColumn))
    return `has no column ${nameColumn}. Its columns are ${header.join(', ')}.`
  const twice = header.find((column, at) => header.indexOf(column) !== at)
  return twice === undefined ? undefined : `has the column ${twice} twice.`
}

/** Returns the fields of a CSV line by their columns, or the end of a sentence that says what is wrong with the line. */
export function rowIn(
  header: readonly string[],
  line: string,
): { readonly [column: string]: string } | string {
  const row = csvRow(line)
  if (row === undefined) return 'has a quote that is not closed.'
  if (row.length !== header.length) return `has ${row.length} fields, and the header has ${header.length}.`
  return Object.fromEntries(header.map((column, at) => [column, row[at]!.trim()]))
}

/** Returns the columns of Cognito's CSV format for importing users into a pool. */
export function csvHeader({ custom }: PoolSettings): readonly string[] {
  const names = Object.keys(custom).map(name => `custom:${name}`)
  return [...standardAttributes, ...verifications, ...names, factorColumn, nameColumn]
}

/**
 * Adds the user that a CSV row describes. A row without a password hash has no password, so that the user has to reset the
 * password at the first sign-in with a code that is sent to a verified address. No trigger is called. An existing
 * account stays unchanged.
 * @param allowed the algorithm that hashes must have. `none` refuses hashes. Default: any algorithm
 */
export async function importRow(
  engine: EngineContext,
  pool: PoolSettings,
  row: { readonly [column: string]: string },
  allowed?: HashAlgorithm | 'none',
): Promise<Imported> {
  try {
    const { [nameColumn]: name = '', [factorColumn]: factor = '', ...others } = row
    const { [hashColumn]: hash = '', ...columns } = others
    if (name === '') throw invalidParameter(`The column ${nameColumn} is empty.`)
    if (hash !== '') refuseHash(hash, allowed)
    if ((await findUser(engine.store, pool, name)) !== undefined) return { Result: 'there' }
    const filled = Object.entries(columns).filter(([, value]) => value !== '')
    const attributes = readAttributes(
      pool,
      filled.map(([Name, Value]) => ({ Name, Value })),
      true,
    )
    const identity = newIdentity(engine, pool, name, attributes)
    refuseMissingAttributes(pool, identity.attributes)
    if (hash === '' && pool.recovery.length > 0 && !verifications.some(each => attributes[each] === 'true'))
      throw invalidParameter('The user has no verified address to reset the password by.')
    const now = engine.clock.now()
    const hasFactor = factor.toLowerCase() === 'true'
    if (!hasFactor && factor !== '' && factor.toLowerCase() !== 'false')
      throw invalidParameter(`The column ${factorColumn} is neither true nor false.`)
    if (hasFactor && !attributes.phone_number)
      throw invalidParameter(`The column ${factorColumn} is true, and the user has no phone number.`)
    const user: User = withAttributes(
      pool,
      {
        ...identity,
        status: hash === '' ? 'RESET_REQUIRED' : 'CONFIRMED',
        enabled: true,
        password: hash === '' ? undefined : encryptedHash(engine, pool, identity, hash),
        ...(hasFactor && { factors: { enabled: ['sms'] } }),
        signInNames: [],
        created: now,
        modified: now,
      },
      {},
    )
    await takenAliases(engine, pool, user, false)
    await apply(engine, { pool: pool.id, now, users: [{ user, was: undefined }] })
    return { Result: hash === '' ? 'reset' : 'added' }
  } catch (error) {
    if (!(error instanceof UserPoolError)) throw error
    return { Result: 'refused', Message: error.message }
  }
}

/** Refuses a hash that cannot be checked, or that has another algorithm than its file. */
function refuseHash(text: string, allowed: HashAlgorithm | 'none' | undefined): void {
  const hash = readHash(text)
  if (typeof hash === 'string') throw invalidParameter(hash)
  if (allowed === 'none')
    throw invalidParameter(`The column ${hashColumn} is filled, and the job has no PasswordHashingAlgorithm.`)
  if (allowed !== undefined && allowed !== hash.algorithm)
    throw invalidParameter(`The password hash is of ${hash.algorithm}, and the job is for ${allowed}.`)
}

import { createHash } from 'node:crypto'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { EngineContext } from '../context/engine-context.ts'
import type { StoredUser } from '../store/user-pool-store.ts'
import { UserPoolError } from '../user-pool-error.ts'
import { normalized } from '../users/attributes.ts'
import { identitiesOf } from '../users/identities.ts'

/** A user of an external provider, as the provider knows the user. */
interface ProviderSubject {
  readonly provider: string
  /** The claim `sub`, in which upper and lower case differ. */
  readonly sub: string
}

type Store = Pick<EngineContext, 'store'>

/**
 * Returns the account that was created when a provider's user first signed in. The account's list of identities
 * decides, because its name does not show the case of `sub`, and another user might have had the name before.
 * @param issuer undefined for an account of any issuer
 */
export async function providerAccount(
  { store }: Store,
  { id }: Pick<PoolSettings, 'id'>,
  subject: ProviderSubject,
  issuer: string | undefined,
): Promise<StoredUser | undefined> {
  for (const name of namesFor(subject)) {
    const found = await store.userNamed(id, normalized(name))
    const isOwn = identitiesOf(found?.attributes ?? {}).some(
      each =>
        each.primary === 'true' &&
        each.providerName === subject.provider &&
        each.userId === subject.sub &&
        (issuer === undefined || each.issuer === issuer),
    )
    if (isOwn) return found
  }
  return undefined
}

/**
 * Returns the name for the account of a provider's user who has none.
 * @throws UserPoolError when other accounts have all names that the user could get
 */
export async function newAccountName(
  { store }: Store,
  { id }: Pick<PoolSettings, 'id'>,
  subject: ProviderSubject,
): Promise<string> {
  for (const name of namesFor(subject))
    if ((await store.userNamed(id, normalized(name))) === undefined) return name
  throw new UserPoolError('UsernameExistsException', 'Another account has the name of this user.')
}

/**
 * Returns the names that the account of a provider's user can have. The second one is for a user whose first name is
 * taken, such as by a user whose `sub` has another case.
 */
function namesFor({ provider, sub }: ProviderSubject): readonly string[] {
  const digest = createHash('sha256')
    .update(JSON.stringify([provider, sub]))
    .digest('hex')
  return [`${provider}_${sub}`, `${provider}_${sub}.${digest.slice(0, 16)}`]
}

import type { IdentityProviderSettings, PoolSettings } from '../config/user-pool-settings.ts'
import type { EngineContext } from '../context/engine-context.ts'
import { existingUser, unknownUser } from '../flows/accounts/sign-up.ts'
import { apply } from '../flows/apply.ts'
import type { Credential, StoredUser } from '../store/user-pool-store.ts'
import { UserPoolError } from '../user-pool-error.ts'
import { invalidParameter, withAttributes } from '../users/attributes.ts'
import { type Identity, identitiesAttribute, identitiesOf } from '../users/identities.ts'
import { providerAccount } from './provider-account.ts'
import { type Claims, isProved } from './provider-claims.ts'

/** A user of an external provider, identified by the value of a claim. */
export interface ProviderUser {
  readonly provider: string
  /** The name of the claim at the provider. Names that requests have instead, such as `Cognito_Subject`, stay there. */
  readonly claim: string
  readonly value: string
}

/** The provider name that stands for the pool itself. */
export const ownProvider = 'Cognito'
/** The maximum number of links per account, as in Cognito. */
const most = 5
/** The maximum number of claims for which a sign-in looks up links. */
const mostClaims = 50
/** The expiry of links, which are valid until they are removed. */
const never = Number.MAX_SAFE_INTEGER

/** Returns the id under which a link is stored. */
function linkId({ provider, claim, value }: ProviderUser): string {
  return JSON.stringify([provider, claim, value])
}

/**
 * Returns the account that a provider's user is linked to. Links by `sub` take precedence. An address that the provider
 * has not verified matches no link, because users could enter any address at the provider.
 */
export async function linkedUser(
  { store, clock }: Pick<EngineContext, 'store' | 'clock'>,
  { id: pool }: Pick<PoolSettings, 'id'>,
  { name: provider, issuer }: Pick<IdentityProviderSettings, 'name' | 'issuer'>,
  sub: string,
  claims: Claims,
): Promise<StoredUser | undefined> {
  const others = Object.entries(claims).filter(([claim]) => claim !== 'sub')
  for (const [claim, value] of [['sub', sub] as const, ...others].slice(0, mostClaims)) {
    if (typeof value !== 'string' || (claim !== 'sub' && !isProved(claims, claim))) continue
    const link = await store.credential(pool, 'link', linkId({ provider, claim, value }), clock.now())
    // A link is valid only for its issuer, because the provider's name might belong to a different provider by now.
    if (link?.value === issuer) return store.user(pool, link.user)
  }
  return undefined
}

/** Returns the key of a link by the `sub` of a provider's user. */
export function subjectLink(provider: string, sub: string): Pick<Credential, 'kind' | 'id'> {
  return { kind: 'link', id: linkId({ provider, claim: 'sub', value: sub }) }
}

/**
 * Lets a user of a provider sign in to an account of the pool.
 * @param destination the account, given as a user name with the provider `Cognito`, or as a provider's user who has an
 * account
 * @throws UserPoolError for an unknown account or provider, and for a user who already has an account or a link
 */
export async function linkUser(
  engine: EngineContext,
  pool: PoolSettings,
  destination: Pick<ProviderUser, 'provider' | 'value'>,
  source: ProviderUser,
): Promise<void> {
  const { store, clock } = engine
  const settings = pool.identityProviders.find(({ name }) => name === source.provider)
  if (settings === undefined)
    throw invalidParameter(`SourceUser: the user pool has no identity provider ${source.provider}.`)
  const { revision, ...user } = await destinationAccount(engine, pool, destination)
  const id = linkId(source)
  if ((await store.credential(pool.id, 'link', id, clock.now())) !== undefined)
    throw invalidParameter('SourceUser is already linked to DestinationUser')
  if ((await ownAccount(engine, pool, source)) !== undefined)
    throw invalidParameter(
      'Merging is not currently supported, provide a SourceUser that has not been created in order to link',
    )
  const identities = identitiesOf(user.attributes)
  if (identities.filter(({ primary }) => primary === 'false').length >= most)
    throw new UserPoolError('LimitExceededException', `An account has ${most} links at most.`)
  const now = clock.now()
  const identity: Identity = {
    userId: source.value,
    providerName: settings.name,
    providerType: 'OIDC',
    issuer: settings.issuer,
    primary: 'false',
    dateCreated: String(now),
  }
  await apply(engine, {
    pool: pool.id,
    now,
    users: [{ user: withIdentities(pool, user, [...identities, identity], now), was: revision }],
    adds: [{ kind: 'link', id, user: user.id, expires: never, value: settings.issuer }],
  })
}

/**
 * Removes a link. If the provider's user has a separate account instead of a link, disables that account.
 * @throws UserPoolError for a user without a link or an account
 */
export async function unlinkUser(
  engine: EngineContext,
  pool: PoolSettings,
  source: ProviderUser,
): Promise<void> {
  const { store, clock } = engine
  const now = clock.now()
  const id = linkId(source)
  const link = await store.credential(pool.id, 'link', id, now)
  if (link === undefined) return disableAccount(engine, pool, source)
  const found = await store.user(pool.id, link.user)
  if (found === undefined) throw unknownUser()
  const { revision, ...user } = found
  const left = identitiesOf(user.attributes).filter(
    each => each.primary === 'true' || each.providerName !== source.provider || each.userId !== source.value,
  )
  await apply(engine, {
    pool: pool.id,
    now,
    users: [{ user: withIdentities(pool, user, left, now), was: revision }],
    // Sign-ins through the link must end too. They cannot be distinguished from other sign-ins to the account, so all
    // of them end.
    ends: [
      { kind: 'link', id },
      { user: user.id, kinds: ['grant', 'session', 'consent'] },
    ],
  })
}

async function disableAccount(
  engine: EngineContext,
  pool: PoolSettings,
  source: ProviderUser,
): Promise<void> {
  const found = await ownAccount(engine, pool, source)
  if (found === undefined) throw unknownUser()
  const { revision, ...user } = found
  const now = engine.clock.now()
  await apply(engine, {
    pool: pool.id,
    now,
    users: [{ user: { ...user, enabled: false, modified: now }, was: revision }],
    ends: [{ user: user.id, kinds: ['grant', 'session', 'consent'] }],
  })
}

/** Returns the account that was created when a provider's user first signed in. */
async function ownAccount(
  engine: EngineContext,
  pool: PoolSettings,
  { provider, claim, value }: ProviderUser,
): Promise<StoredUser | undefined> {
  if (claim !== 'sub') return undefined
  const issuer = pool.identityProviders.find(({ name }) => name === provider)?.issuer
  const found = await providerAccount(engine, pool, { provider, sub: value }, issuer)
  return found?.status === 'EXTERNAL_PROVIDER' ? found : undefined
}

/**
 * Returns the account that a link leads to.
 * @throws UserPoolError for an unknown account
 */
async function destinationAccount(
  engine: EngineContext,
  pool: PoolSettings,
  { provider, value }: Pick<ProviderUser, 'provider' | 'value'>,
): Promise<StoredUser> {
  if (provider === ownProvider) return existingUser(engine, pool, value)
  const found = await ownAccount(engine, pool, { provider, claim: 'sub', value })
  if (found === undefined) throw unknownUser()
  return found
}

function withIdentities(
  pool: PoolSettings,
  user: Omit<StoredUser, 'revision'>,
  identities: readonly Identity[],
  modified: number,
) {
  const text = identities.length === 0 ? undefined : JSON.stringify(identities)
  return { ...withAttributes(pool, user, { [identitiesAttribute]: text }), modified }
}

import { randomUuid } from '@signalbox/platform-runtime'
import type { IdentityProviderSettings } from '../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext } from '../context/engine-context.ts'
import { postConfirmation } from '../flows/accounts/sign-up.ts'
import { apply } from '../flows/apply.ts'
import { postAuthentication, refusalOf } from '../flows/sign-in/complete-sign-in.ts'
import { verifications } from '../standard-attributes.ts'
import type { StoredUser, User } from '../store/user-pool-store.ts'
import { UserPoolError } from '../user-pool-error.ts'
import {
  type Attributes,
  readAttributes,
  refuseMissingAttributes,
  withAttributes,
} from '../users/attributes.ts'
import { type Identity, identitiesAttribute, identitiesText } from '../users/identities.ts'
import { linkedUser, subjectLink } from './links.ts'
import { newAccountName, providerAccount } from './provider-account.ts'
import { mergedClaims, saysVerified } from './provider-claims.ts'

/** The data that a provider returns about a user who has signed in there. */
export interface ProviderAnswer {
  /** The token endpoint's response. */
  readonly tokenResponse: { readonly [name: string]: unknown }
  /** The claims of the identity token. Its signature has been checked. */
  readonly idToken: { readonly [name: string]: unknown; readonly sub: string }
  readonly userInfo: { readonly [name: string]: unknown } | undefined
}

/**
 * Returns the account of a provider's user. The first sign-in creates the account, and later sign-ins update its
 * attributes.
 * @throws UserPoolError when a trigger function denies the request or fails, for invalid attributes, for a disabled
 * account, and when other accounts have all names that a new account could get
 */
export async function federatedUser(
  engine: EngineContext,
  caller: ClientCaller,
  provider: IdentityProviderSettings,
  answer: ProviderAnswer,
): Promise<StoredUser> {
  const { pool } = caller
  const { sub } = answer.idToken
  const claims = mergedClaims(answer.idToken, answer.userInfo ?? {})
  const linked = await linkedUser(engine, pool, provider, sub, claims)
  const subject = { provider: provider.name, sub }
  const found = linked ?? (await providerAccount(engine, pool, subject, provider.issuer))
  const name = found?.name ?? (await newAccountName(engine, pool, subject))
  const attributes = await attributesOf(engine, caller, provider, name, answer)
  refuseMissingAttributes(pool, { ...linked?.attributes, ...attributes })
  return found === undefined
    ? firstSignIn(engine, caller, provider, name, sub, attributes)
    : returning(engine, caller, found, attributes)
}

/** Signs in to an existing account. */
async function returning(
  engine: EngineContext,
  caller: ClientCaller,
  found: StoredUser,
  attributes: Attributes,
): Promise<StoredUser> {
  const refused = refusalOf(found, engine.clock.now())
  if (refused !== undefined) throw refused
  if (found.status === 'FORCE_CHANGE_PASSWORD')
    throw new UserPoolError('NotAuthorizedException', 'The account needs a new password first.')
  const user = await updated(engine, caller, found, attributes)
  await postAuthentication(engine, caller, user, {}, {})
  return user
}

/**
 * Returns the attributes for the account. They come from the pool's function, or else from the claims that the pool
 * maps.
 */
async function attributesOf(
  engine: EngineContext,
  caller: ClientCaller,
  provider: IdentityProviderSettings,
  userName: string,
  { tokenResponse, idToken, userInfo }: ProviderAnswer,
): Promise<Attributes> {
  const said = await engine.callTrigger(caller, 'InboundFederation_ExternalProvider', {
    userName,
    request: {
      providerName: provider.name,
      providerType: 'OIDC',
      // A SAML provider's response would have different fields.
      attributes: { tokenResponse, idToken, ...(userInfo !== undefined && { userInfo }) } as never,
    },
  })
  const claims = mergedClaims(userInfo ?? {}, idToken)
  const mapped = Object.entries(provider.attributes).flatMap(([attribute, claim]) => {
    const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined
    if (value == null || typeof value === 'object') return []
    const text = verifications.includes(attribute) ? saysVerified(value) : value
    return [[attribute, String(text)] as const]
  })
  const attributes = said === undefined ? mapped : Object.entries(said.userAttributesToMap)
  return readAttributes(
    caller.pool,
    attributes.map(([Name, Value]) => ({ Name, Value })),
    true,
  )
}

async function firstSignIn(
  engine: EngineContext,
  caller: ClientCaller,
  provider: IdentityProviderSettings,
  name: string,
  userId: string,
  attributes: Attributes,
): Promise<StoredUser> {
  const { store, clock, random } = engine
  const { pool } = caller
  const answer = await engine.callTrigger(caller, 'PreSignUp_ExternalProvider', {
    userName: name,
    request: { userAttributes: attributes, validationData: {}, clientMetadata: {} },
  })
  const now = clock.now()
  const identity: Identity = {
    userId,
    providerName: provider.name,
    providerType: 'OIDC',
    issuer: provider.issuer,
    primary: 'true',
    dateCreated: String(now),
  }
  const user: User = withAttributes(
    pool,
    {
      id: randomUuid(random),
      name,
      status: 'EXTERNAL_PROVIDER',
      enabled: true,
      attributes,
      password: undefined,
      signInNames: [],
      created: now,
      modified: now,
    },
    {
      [identitiesAttribute]: identitiesText(identity),
      ...(answer?.autoVerifyEmail && attributes.email && { email_verified: 'true' }),
      ...(answer?.autoVerifyPhone && attributes.phone_number && { phone_number_verified: 'true' }),
    },
  )
  // The change fails if an administrator has linked the user in the meantime.
  const lacks = [subjectLink(provider.name, userId)]
  await apply(engine, { pool: pool.id, now, users: [{ user, was: undefined }], lacks })
  await postConfirmation(engine, caller, user, {})
  return (await store.user(pool.id, user.id))!
}

/** Updates an account. Changed addresses are unverified, unless the provider has verified them. */
async function updated(
  engine: EngineContext,
  { pool }: ClientCaller,
  found: StoredUser,
  attributes: Attributes,
): Promise<StoredUser> {
  if (Object.entries(attributes).every(([name, value]) => found.attributes[name] === value)) return found
  const { revision: was, ...before } = found
  const moved = ['email', 'phone_number'].filter(
    name => attributes[name] !== undefined && attributes[name] !== found.attributes[name],
  )
  const unverified = Object.fromEntries(moved.map(name => [`${name}_verified`, 'false']))
  const now = engine.clock.now()
  const user = { ...withAttributes(pool, before, { ...unverified, ...attributes }), modified: now }
  await apply(engine, { pool: pool.id, now, users: [{ user, was }] })
  return (await engine.store.user(pool.id, found.id))!
}

import { randomUuid } from '@signalbox/platform-runtime'
import type { IdentityProviderSettings } from '../config/user-pool-settings.ts'
import {
  type Attributes,
  normalized,
  readAttributes,
  refuseMissingAttributes,
  withAttributes,
} from '../flows/accounts/accounts.ts'
import { postConfirmation } from '../flows/accounts/sign-up.ts'
import { apply } from '../flows/apply.ts'
import type { ClientCaller, EngineContext } from '../flows/engine-context.ts'
import { postAuthentication, refusalOf } from '../flows/sign-in/complete-sign-in.ts'
import type { StoredUser, User } from '../store/user-pool-store.ts'
import { UserPoolError } from '../user-pool-error.ts'
import { type Identity, identitiesAttribute, identitiesOf, identitiesText } from './identities.ts'
import { linkedUser, subjectLink } from './links.ts'

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
 * account, and for a name that belongs to another account
 */
export async function federatedUser(
  engine: EngineContext,
  caller: ClientCaller,
  provider: IdentityProviderSettings,
  answer: ProviderAnswer,
): Promise<StoredUser> {
  const { pool } = caller
  const linked = await linkedUser(engine, pool, provider, { ...answer.userInfo, ...answer.idToken })
  const name = linked?.name ?? `${provider.name}_${answer.idToken.sub}`
  const attributes = await attributesOf(engine, caller, provider, name, answer)
  refuseMissingAttributes(pool, { ...linked?.attributes, ...attributes })
  if (linked !== undefined) return returning(engine, caller, linked, attributes)
  const found = await engine.store.userNamed(pool.id, normalized(name))
  if (found === undefined) return firstSignIn(engine, caller, provider, name, answer.idToken.sub, attributes)
  // User names are case-insensitive, so another user of the pool might have chosen this name.
  const isSame = identitiesOf(found.attributes).some(
    ({ providerName, issuer, userId }) =>
      providerName === provider.name && issuer === provider.issuer && userId === answer.idToken.sub,
  )
  if (!isSame)
    throw new UserPoolError('UsernameExistsException', 'Another account has the name of this user.')
  return returning(engine, caller, found, attributes)
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
  const claims: { readonly [name: string]: unknown } = { ...idToken, ...userInfo }
  const mapped = Object.entries(provider.attributes).flatMap(([attribute, claim]) => {
    const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined
    return value == null || typeof value === 'object' ? [] : [[attribute, String(value)] as const]
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

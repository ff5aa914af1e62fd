import { createHash } from 'node:crypto'
import { randomUuid } from '@signalbox/platform-runtime'
import type { ClientSettings } from '../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext, Metadata } from '../context/engine-context.ts'
import type { User } from '../store/user-pool-store.ts'
import { readableAttributes } from '../users/attribute-rights.ts'
import { eventAttributes } from '../users/attributes.ts'
import {
  attributeClaims,
  type Claims,
  groupClaimsOf,
  overridden,
  overridesOf,
  type TokenGroups,
  tokenGroups,
} from './claims.ts'
import { claimsOfScopes } from './scopes.ts'
import { signedToken } from './signed-token.ts'

/** A grant, which covers a sign-in and all its refreshes until the sign-out. */
export interface Grant {
  /** The claim `origin_jti`. */
  readonly id: string
  /** The client's id. */
  readonly client: string
  /** The time of the sign-in, in milliseconds. */
  readonly authTime: number
  readonly scopes: readonly string[]
  /** The time when the tokens were first issued, if that is not the time of the sign-in. */
  readonly created?: number
  /** The stored id of the browser session that the tokens came from, if the pool tracks sessions. */
  readonly browser?: string
  /** The key of the device on which the user signed in. */
  readonly device?: string
  /** Whether the sign-in was on a hosted page. The scopes then decide what the tokens contain. */
  readonly isHosted?: boolean
  /** Whether a user has consented on a page to the scopes of a device, of which `openid` alone gives no attributes. */
  readonly isNarrow?: boolean
  /** The resource server that the access tokens are for, which is their audience (RFC 8707). */
  readonly resource?: string
}

/** An identity token and an access token. */
export interface Tokens {
  /** The identity token. Undefined if a client of the hosted pages did not ask for the scope `openid`. */
  readonly IdToken?: string
  readonly AccessToken: string
  /** How many seconds the access token is valid. */
  readonly ExpiresIn: number
  readonly TokenType: 'Bearer'
}

export type TokenSource =
  | 'TokenGeneration_Authentication'
  | 'TokenGeneration_NewPasswordChallenge'
  | 'TokenGeneration_AuthenticateDevice'
  | 'TokenGeneration_RefreshTokens'
  | 'TokenGeneration_HostedAuth'

/**
 * Issues the tokens of a user who has signed in. The pool's function may change their claims.
 * @throws UserPoolError when that function denies the request or fails
 */
export async function issueTokens(
  engine: EngineContext,
  caller: ClientCaller,
  user: User,
  grant: Grant,
  source: TokenSource,
  clientMetadata: Metadata,
  nonce?: string,
): Promise<Tokens> {
  const { pool, client } = caller
  const groups = tokenGroups(await engine.store.groupsOf(pool.id, user.id))
  const overrides = overridesOf(
    await engine.callTrigger(caller, source, {
      userName: user.name,
      request: {
        userAttributes: eventAttributes(pool, user),
        groupConfiguration: groupConfiguration(groups),
        clientMetadata,
        ...(pool.triggers.get(source)?.version !== '1' && { scopes: grant.scopes }),
      },
    }),
    groups,
    grant.scopes,
  )
  const now = Math.floor(engine.clock.wall() / 1000)
  const shared: Claims = {
    sub: user.id,
    iss: engine.issuer(pool),
    origin_jti: grant.id,
    event_id: randomUuid(engine.random),
    // The sign-in is in the future if the clock was ahead then, and was set back before the platform last started.
    auth_time: Math.min(now, Math.floor(engine.clock.wall(grant.authTime) / 1000)),
    iat: now,
  }
  const shownAttributes = attributeClaims(readableAttributes(client, user))
  const hasIdToken = grant.isHosted !== true || overrides.scopes.includes('openid')
  const idClaims = {
    ...overridden(
      {
        ...(grant.isHosted
          ? claimsOfScopes(shownAttributes, grant.scopes, isNarrow(client, grant))
          : shownAttributes),
        ...groupClaimsOf(overrides.groups),
        'cognito:username': user.name,
      },
      overrides.id,
    ),
    ...shared,
    aud: client.id,
    token_use: 'id',
    exp: now + Math.floor(client.idLife / 1000),
    jti: randomUuid(engine.random),
  }
  const accessClaims = {
    ...overridden({ 'cognito:groups': groupClaimsOf(overrides.groups)['cognito:groups'] }, overrides.access),
    ...shared,
    ...(grant.device !== undefined && { device_key: grant.device }),
    ...(grant.resource !== undefined && { aud: grant.resource }),
    client_id: client.id,
    token_use: 'access',
    scope: overrides.scopes.join(' '),
    exp: now + Math.floor(client.accessLife / 1000),
    jti: randomUuid(engine.random),
    username: user.name,
  }
  const AccessToken = await signedToken(engine, pool, 'access', accessClaims)
  const hosted = grant.isHosted && { at_hash: halfHash(AccessToken), ...(nonce !== undefined && { nonce }) }
  const IdToken = hasIdToken ? await signedToken(engine, pool, 'id', { ...idClaims, ...hosted }) : undefined
  return {
    ...(IdToken !== undefined && { IdToken }),
    AccessToken,
    ExpiresIn: Math.floor(client.accessLife / 1000),
    TokenType: 'Bearer',
  }
}

/** Returns whether the scope `openid` alone gives no attributes: to clients whose users consent on a page. */
export function isNarrow(client: Pick<ClientSettings, 'agent'>, grant: Pick<Grant, 'isNarrow'>): boolean {
  return client.agent !== undefined || grant.isNarrow === true
}

/** Returns the claim `at_hash`, which ties an identity token to the access token that was issued with it. */
function halfHash(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')
}

function groupConfiguration({ groups, roles, preferredRole }: TokenGroups) {
  return {
    groupsToOverride: groups,
    accessRolesToOverride: roles,
    ...(preferredRole !== undefined && { preferredRole }),
  }
}

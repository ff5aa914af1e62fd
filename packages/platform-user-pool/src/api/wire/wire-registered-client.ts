import { type RegisteredClient, scopesOfRegistered } from '../../agents/registered-clients.ts'
import { registeredLives } from '../../config/agent-client.ts'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import { seconds } from './wire-user.ts'

/** Returns a client that has registered itself, as administrators see it. */
export function wireRegisteredClient(pool: PoolSettings, registered: RegisteredClient) {
  const { id, name, redirectUris, created } = registered
  const minutes = (ms: number) => ms / 60_000
  return {
    UserPoolId: pool.id,
    ClientId: id,
    ClientName: name,
    ClientType: 'DCR',
    CreationDate: seconds(created),
    LastModifiedDate: seconds(created),
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthFlows: ['code'],
    AllowedOAuthScopes: scopesOfRegistered(pool, registered),
    CallbackURLs: redirectUris,
    SupportedIdentityProviders: ['COGNITO', ...pool.identityProviders.map(({ name: each }) => each)],
    PreventUserExistenceErrors: 'ENABLED',
    EnableTokenRevocation: true,
    AccessTokenValidity: minutes(registeredLives.access),
    IdTokenValidity: minutes(registeredLives.access),
    RefreshTokenValidity: minutes(registeredLives.refresh),
    TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'minutes' },
    RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 60 },
  }
}

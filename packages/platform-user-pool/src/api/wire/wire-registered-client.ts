import type { RegisteredClient } from '../../agents/registered-clients.ts'
import { registeredScopes } from '../../agents/registered-clients.ts'
import { registeredLives } from '../../config/agent-client.ts'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import { seconds } from './wire-user.ts'

/** Returns a client that has registered itself, as administrators see it. */
export function wireRegisteredClient(
  pool: PoolSettings,
  { id, name, redirectUris, created }: RegisteredClient,
) {
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
    AllowedOAuthScopes: registeredScopes(pool),
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

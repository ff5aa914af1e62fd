export type { ClientConfig } from './config/client-config.ts'
export type { UserPoolListenerConfig } from './config/listener-config.ts'
export type {
  GroupConfig,
  IdentityProviderConfig,
  PasswordConfig,
  ResourceServerConfig,
  UserPoolConfig,
  UserPoolsConfig,
} from './config/user-pool-config.ts'
export type { UserPoolsSettings } from './config/user-pools-part.ts'
export { userPoolModule } from './user-pool-module.ts'
export type { PoolText, PoolTokens, PoolUser, UserPool, UserPools } from './user-pools-access.ts'

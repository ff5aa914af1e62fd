export type { DocumentPolicyConfig, RegistrationConfig, ResourceServerConfig } from './config/agent-config.ts'
export type { ClientConfig } from './config/client-config.ts'
export type {
  GroupConfig,
  IdentityProviderConfig,
  PasswordConfig,
  UserPoolConfig,
  UserPoolListenerConfig,
  UserPoolsConfig,
} from './config/user-pool-config.ts'
export type { UserPoolsSettings } from './config/user-pools-part.ts'
export { userPoolModule } from './user-pool-module.ts'
export type { PoolText, PoolTokens, PoolUser, UserPool, UserPools } from './user-pools-access.ts'

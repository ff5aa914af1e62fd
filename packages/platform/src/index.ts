export type { EventConfig, InvokeConfig } from '@signalbox/platform-invoke'
export type {
  HealthCheckConfig,
  LoadBalancerConfig,
} from '@signalbox/platform-load-balancer'
export type {
  DeliveredMail,
  Mail,
  MailConfig,
  MailRuleConfig,
  MailState,
  RecipientReport,
  RelayConfig,
} from '@signalbox/platform-mail'
export type {
  DeadLetterConfig,
  QueueConfig,
  QueueEngineConfig,
  QueueListenerConfig,
} from '@signalbox/platform-queue'
export type {
  Address,
  Dialect,
  Failure,
  Invocation,
  InvocationLogEntry,
  InvocationLogQuery,
  LogLine,
  Random,
  Verdict,
} from '@signalbox/platform-runtime'
export type {
  ControlConfig,
  FunctionConfig,
  InvocationLogConfig,
  SecretConfig,
  TlsConfig,
} from '@signalbox/platform-runtime/config'
export { InvalidConfigError } from '@signalbox/platform-runtime/config'
export type { PlatformOptions } from '@signalbox/platform-runtime/platform'
export { DataDirectoryInUseError } from '@signalbox/platform-runtime/storage'
export type {
  ClientConfig,
  PoolText,
  PoolTokens,
  PoolUser,
  UserPool,
  UserPoolConfig,
  UserPoolListenerConfig,
  UserPools,
} from '@signalbox/platform-user-pool'
export { defineConfig } from './config/define-config.ts'
export { createPlatform, type Platform } from './platform.ts'
export type { Config } from './source-modules.ts'
export type { PostgresConfig, StorageConfig } from './storage/postgres-storage.ts'

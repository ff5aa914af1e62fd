export { InvalidConfigError } from './config/config-error.ts'
export { defineConfig } from './config/define-config.ts'
export type { ControlConfig, FunctionConfig, JournalConfig } from './config/runtime-config.ts'
export { DataDirectoryInUseError } from './data-directory/data-directory.ts'
export type { Dialect } from './dialect/dialect.ts'
export type { Conclusion } from './invocation/conclusion.ts'
export type { Failure, LogLine } from './invoker/invoker.ts'
export type { Entry, JournalQuery } from './journal/entry.ts'
export { createPlatform, type Platform } from './platform.ts'
export type { Random } from './random.ts'
export type { Fired, PlatformOptions } from './runtime-platform.ts'
export type { Address } from './source/source.ts'
export type { Config } from './source-modules.ts'
export type {
  HealthCheckConfig,
  LoadBalancerConfig,
} from './sources/load-balancer/config/load-balancer-config.ts'
export type { MailConfig, MailRuleConfig, RelayConfig, TlsConfig } from './sources/mail/config/mail-config.ts'
export type { DeliveredMail } from './sources/mail/delivery/maildirs.ts'
export type { Mail } from './sources/mail/mail.ts'
export type { MailState, RecipientReport } from './sources/mail/store/mail-report.ts'
export type {
  DeadLetterConfig,
  QueueConfig,
  QueueEngineConfig,
  QueueListenerConfig,
} from './sources/queue/config/queue-config.ts'

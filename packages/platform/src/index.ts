export type {
  Config,
  ControlConfig,
  DeadLetterConfig,
  FunctionConfig,
  HealthCheckConfig,
  JournalConfig,
  LoadBalancerConfig,
  QueueConfig,
  QueueEngineConfig,
  QueueListenerConfig,
} from './config/config.ts'
export { InvalidConfigError } from './config/config-error.ts'
export { defineConfig } from './config/define-config.ts'
export type { MailConfig, MailRuleConfig, RelayConfig, TlsConfig } from './config/mail-config.ts'
export { DataDirectoryInUseError } from './data-directory/data-directory.ts'
export type { Dialect } from './dialect/dialect.ts'
export type { Conclusion } from './invocation/conclusion.ts'
export type { Failure, LogLine } from './invoker/invoker.ts'
export type { Entry, JournalQuery } from './journal/entry.ts'
export { createPlatform, type Fired, type Platform, type PlatformOptions } from './platform.ts'
export type { Random } from './random.ts'
export type { DeliveredMail } from './sources/mail/delivery/maildirs.ts'
export type { Mail } from './sources/mail/mail.ts'
export type { MailState, RecipientReport } from './sources/mail/store/mail-report.ts'
export type { Address } from './sources/source.ts'

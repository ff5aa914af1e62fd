import type { InvokesConfig } from '@signalbox/platform-invoke'
import { invokeModule } from '@signalbox/platform-invoke'
import type { LoadBalancersConfig } from '@signalbox/platform-load-balancer'
import { loadBalancerModule } from '@signalbox/platform-load-balancer'
import type { Mail, MailsConfig } from '@signalbox/platform-mail'
import { mailModule } from '@signalbox/platform-mail'
import type { QueuesConfig } from '@signalbox/platform-queue'
import { queueModule } from '@signalbox/platform-queue'
import type { Program } from '@signalbox/platform-runtime'
import type { RuntimeConfig } from '@signalbox/platform-runtime/config'
import type { UserPools, UserPoolsConfig } from '@signalbox/platform-user-pool'
import { userPoolModule } from '@signalbox/platform-user-pool'
import { type DialectName, dialects } from './dialect/dialects.ts'
import { postgresStorage, type StorageConfig } from './storage/postgres-storage.ts'

/** The sources, the dialects and the console of the platform. Only this file names the sources. */
export const program: Program = {
  modules: [userPoolModule, loadBalancerModule, queueModule, mailModule, invokeModule],
  dialects,
  console: async () => (await import('@signalbox/console')).openConsole,
  engines: { postgres: postgresStorage },
  readFile: async path => (await import('./template/load-template.ts')).loadTemplate('/', { path }),
}

/** The configuration of a platform: `signalbox.config.ts`. */
export interface Config<FunctionName extends string = string>
  extends RuntimeConfig<FunctionName, DialectName>,
    LoadBalancersConfig<FunctionName>,
    QueuesConfig<FunctionName>,
    MailsConfig<FunctionName>,
    InvokesConfig<FunctionName>,
    UserPoolsConfig<FunctionName> {
  /**
   * The storage engine for queues, mail, user pools and the events of the Invoke API. Default: files in `dataDir`.
   * All remaining data is always kept in files.
   */
  readonly storage?: StorageConfig
}

/** The properties that sources add to a platform object. */
export interface Sources {
  readonly mail: Mail
  readonly userPools: UserPools
}

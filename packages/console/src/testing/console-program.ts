import { type InvokesConfig, invokeModule } from '@signalbox/platform-invoke'
import { type LoadBalancersConfig, loadBalancerModule } from '@signalbox/platform-load-balancer'
import { type Mail, type MailsConfig, mailModule } from '@signalbox/platform-mail'
import { type PostgresOptions, postgresEngine } from '@signalbox/platform-postgres'
import { type QueuesConfig, queueModule } from '@signalbox/platform-queue'
import type { AnySourceModule, Program } from '@signalbox/platform-runtime'
import type { RuntimeConfig } from '@signalbox/platform-runtime/config'
import {
  makePlatform,
  type PlatformOptions,
  type RuntimePlatform,
} from '@signalbox/platform-runtime/platform'
import { type UserPools, type UserPoolsConfig, userPoolModule } from '@signalbox/platform-user-pool'

/** A configuration of a platform with all sources. */
export interface Config
  extends RuntimeConfig,
    InvokesConfig,
    LoadBalancersConfig,
    MailsConfig,
    QueuesConfig,
    UserPoolsConfig {
  readonly storage?: { readonly postgres: Pick<PostgresOptions, 'url' | 'schema'> }
}

/** A platform with all sources. */
export interface Platform extends RuntimePlatform {
  readonly mail: Mail
  readonly userPools: UserPools
}

const program: Program = {
  modules: [userPoolModule, loadBalancerModule, queueModule, mailModule, invokeModule],
  dialects: {},
  console: async () => (await import('../server/open-console.ts')).openConsole,
  engines: {
    postgres: {
      problems: () => [],
      fromEnvironment: () => undefined,
      open: (part, _root, context) =>
        postgresEngine({ connections: 10, ...(part as { url: string; schema: string }) }, context),
    },
  },
}

/**
 * Creates a platform with all sources and with the console, which imports none of them.
 * @param modules sources in addition to these
 */
export const createPlatform = (
  config: Config,
  options?: PlatformOptions,
  modules: readonly AnySourceModule[] = [],
) => makePlatform({ ...program, modules: [...program.modules, ...modules] }, config, options) as Platform

import type { RuntimeConfig } from './config/runtime-config.ts'
import { type DialectName, dialects } from './dialect/dialects.ts'
import type { Program } from './source/program.ts'
import type { LoadBalancersConfig } from './sources/load-balancer/config/load-balancer-config.ts'
import { loadBalancerModule } from './sources/load-balancer/load-balancer-module.ts'
import type { MailsConfig } from './sources/mail/config/mail-config.ts'
import type { Mail } from './sources/mail/mail.ts'
import { mailModule } from './sources/mail/mail-module.ts'
import type { QueuesConfig } from './sources/queue/config/queue-config.ts'
import { queueModule } from './sources/queue/queue-module.ts'
import { userPoolModule } from './sources/user-pool/user-pool-module.ts'

/** Everything that the platform plays. A source is part of it by standing in this file, and in no other. */
export const program: Program = {
  modules: [userPoolModule, loadBalancerModule, queueModule, mailModule],
  dialects,
}

/** The configuration of a platform: `signalbox.config.ts`. */
export interface Config<FunctionName extends string = string>
  extends RuntimeConfig<FunctionName, DialectName>,
    LoadBalancersConfig<FunctionName>,
    QueuesConfig<FunctionName>,
    MailsConfig<FunctionName> {}

/** What the sources offer to programs. */
export interface Sources {
  readonly mail: Mail
}

import { awsDialect, fromAws, toAws } from '@signalbox/aws'
import { testProgram } from '@signalbox/platform-runtime/commands/testing/test-program'
import type { RuntimeConfig } from '@signalbox/platform-runtime/config'
import type { QueuesConfig } from '../config/queue-config.ts'
import type { QueuesSettings } from '../config/queues-part.ts'
import { queueModule } from '../queue-module.ts'

/** A configuration of a platform whose only source is queues. */
export type Config = RuntimeConfig & QueuesConfig

export const { createPlatform, configProblems, signalbox, signalboxStopped } = testProgram<
  QueuesConfig,
  QueuesSettings
>(queueModule, { dialects: { aws: { ...awsDialect, read: fromAws, write: toAws } } })

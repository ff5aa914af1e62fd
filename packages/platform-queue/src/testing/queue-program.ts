import { dialects } from '../../../platform/src/dialect/dialects.ts'
import type { RuntimeConfig } from '../../../platform-runtime/src/config/runtime-config.ts'
import { testProgram } from '../../../platform-runtime/src/testing/test-program.ts'
import type { QueuesConfig } from '../config/queue-config.ts'
import type { QueuesSettings } from '../config/queues-part.ts'
import { queueModule } from '../queue-module.ts'

/** A configuration of a platform whose only source is queues. */
export type Config = RuntimeConfig & QueuesConfig

export const { createPlatform, configProblems, signalbox, signalboxStopped } = testProgram<
  QueuesConfig,
  QueuesSettings
>(queueModule, dialects)

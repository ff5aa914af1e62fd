import type { RuntimeConfig } from '../config/runtime-config.ts'
import { dialects } from '../dialect/dialects.ts'
import type { QueuesConfig } from '../sources/queue/config/queue-config.ts'
import type { QueuesSettings } from '../sources/queue/config/queues-part.ts'
import { queueModule } from '../sources/queue/queue-module.ts'
import { testProgram } from './test-program.ts'

/** A configuration of a platform whose one source is queues. */
export type Config = RuntimeConfig & QueuesConfig

export const { createPlatform, configProblems, signalbox } = testProgram<QueuesConfig, QueuesSettings>(
  queueModule,
  dialects,
)

import { type QueuesConfig, queueModule } from '@signalbox/platform-queue'
import { testProgram } from '@signalbox/platform-runtime/commands/testing/test-program'
import type { RuntimeConfig } from '@signalbox/platform-runtime/config'
import type { InvokesConfig } from '../config/invoke-config.ts'
import type { InvokeSettings } from '../config/invoke-part.ts'
import { invokeModule } from '../invoke-module.ts'

/** A configuration of a platform with the Invoke API, and with queues for events that fail. */
export type Config = RuntimeConfig & InvokesConfig & QueuesConfig

export const { createPlatform, configProblems, settingsOf, signalbox } = testProgram<
  InvokesConfig & QueuesConfig,
  InvokeSettings
>(invokeModule, { others: [queueModule] })

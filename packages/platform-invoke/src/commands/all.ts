import { type Command, commandsAbout } from '@signalbox/platform-runtime/command-line'
import { execution } from './execution.ts'
import { executions } from './executions.ts'

/** The commands about executions, in the order of the help text. */
export const executionCommands: readonly Command[] = commandsAbout('Durable functions', [
  executions,
  execution,
])

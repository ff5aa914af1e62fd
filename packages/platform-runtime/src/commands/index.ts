export { askOn } from '../command-line/ask-on.ts'
export {
  commandsAbout,
  configOption,
  type ExitCode,
  type Option,
  type Values,
} from '../command-line/command.ts'
export { seePage, seePageOfFailure, withPage } from '../command-line/error-page.ts'
export { columns, dateAndTime, size, table, truncated } from '../command-line/format.ts'
export { type Paint, paintFor } from '../command-line/paint.ts'
export { printable, printableJson, printableLines, printableWriting } from '../command-line/printable.ts'
export { progressOn } from '../command-line/progress-on.ts'
export { run } from '../command-line/run.ts'
export { sentence } from '../command-line/sentence.ts'
export { stopSignal } from '../command-line/stop-signal.ts'
export type { Ask, Choose, Terminal } from '../command-line/terminal.ts'
export { refuseOperands, UsageError } from '../command-line/usage-error.ts'
export { configNames, type LoadedConfig, loadConfig } from '../config/load-config.ts'
export {
  type Command,
  type CommandContext,
  type ConfigSource,
  defineCommand,
  type Project,
} from './command-context.ts'
export { contextOf } from './context-of.ts'
export { sourceCommands } from './source-commands.ts'

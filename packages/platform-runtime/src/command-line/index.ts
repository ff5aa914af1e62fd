export { askOn } from './ask-on.ts'
export {
  type Command,
  configOption,
  defineCommand,
  type ExitCode,
  type Option,
  type Values,
} from './command.ts'
export type { CommandContext, Project } from './command-context.ts'
export { contextOf } from './context-of.ts'
export { columns, dateAndTime, size, truncated } from './format.ts'
export { type Paint, paintFor } from './paint.ts'
export { printable, printableJson, printableLines, printableWriting } from './printable.ts'
export { progressOn } from './progress-on.ts'
export { run } from './run.ts'
export { sentence } from './sentence.ts'
export { stopSignal } from './stop-signal.ts'
export type { Ask, Terminal } from './terminal.ts'
export { refuseOperands, UsageError } from './usage-error.ts'

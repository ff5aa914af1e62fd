import type { CommandContext } from './command-context.ts'

/** One option of a command, as `node:util` parses it, with its line in the help. */
export interface Option {
  readonly type: 'boolean' | 'string'
  readonly short?: string
  readonly multiple?: boolean
  /** What stands for the value in the help, such as `FILE`. */
  readonly value?: string
  readonly help: string
}

/** What the user gave for the options; what was not given is absent. */
export type Values<O extends { readonly [name: string]: Option }> = {
  readonly [K in keyof O]?: O[K] extends { readonly multiple: true }
    ? readonly string[]
    : O[K]['type'] extends 'boolean'
      ? boolean
      : string
}

/**
 * How a command ended: `0` done; `1` done, and the answer is bad news; `2` it could not be done, because of how it
 * was called or of what it was given.
 */
export type ExitCode = 0 | 1 | 2

/** One verb of the command line. */
export interface Command<
  O extends { readonly [name: string]: Option } = { readonly [name: string]: Option },
> {
  /** One word, or two, such as `mail flush`. */
  readonly name: string
  /** One line for the overview. */
  readonly summary: string
  /** What follows the name, such as `FILE… [--json]`. */
  readonly usage: string
  /** What else there is to say, as paragraphs. */
  readonly details?: string
  /** Whole command lines, each with what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[]
  readonly options: O
  /** @throws UsageError when the operands make no sense */
  readonly run: (values: Values<O>, operands: readonly string[], context: CommandContext) => Promise<ExitCode>
}

/** Keeps a command's own option types while it becomes a row of the table of commands. */
export function defineCommand<const O extends { readonly [name: string]: Option }>(
  command: Command<O>,
): Command {
  return command as unknown as Command
}

/** The option of every command that needs a configuration. */
export const configOption = {
  type: 'string',
  short: 'c',
  value: 'FILE',
  help: 'the configuration, when it is not ./signalbox.config.ts',
} as const

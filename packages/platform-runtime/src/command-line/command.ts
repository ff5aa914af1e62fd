import type { CommandContext } from './command-context.ts'

/** One option of a command, as `node:util` parses it, with its line in the help. */
export interface Option {
  readonly type: 'boolean' | 'string'
  readonly short?: string
  readonly multiple?: boolean
  /** The placeholder of the value in the help, such as `FILE`. */
  readonly value?: string
  readonly help: string
}

/** The values of the options. An option that the user did not give is absent. */
export type Values<O extends { readonly [name: string]: Option }> = {
  readonly [K in keyof O]?: O[K] extends { readonly multiple: true }
    ? readonly string[]
    : O[K]['type'] extends 'boolean'
      ? boolean
      : string
}

/**
 * The exit code of a command. `0` means success, and `1` means that the command finished with a negative result. `2`
 * means that the command failed because of wrong arguments or wrong input. `130` means that the user stopped the
 * command before it finished.
 */
export type ExitCode = 0 | 1 | 2 | 130

export interface Command<
  O extends { readonly [name: string]: Option } = { readonly [name: string]: Option },
> {
  /** The name of the command: one or two words, such as `mail flush`. */
  readonly name: string
  /** One line that describes the command in the overview. */
  readonly summary: string
  /** The operands and options after the name, such as `FILE… [--json]`. */
  readonly usage: string
  /** Further paragraphs of the help. */
  readonly details?: string
  /** Complete command lines, each with an explanation. */
  readonly examples: readonly (readonly [line: string, does: string])[]
  readonly options: O
  /**
   * Runs the command.
   * @throws UsageError for wrong operands
   */
  readonly run: (values: Values<O>, operands: readonly string[], context: CommandContext) => Promise<ExitCode>
}

/** Defines a command whose values have the types of its options. */
export function defineCommand<const O extends { readonly [name: string]: Option }>(
  command: Command<O>,
): Command {
  return command as unknown as Command
}

/** The option of each command that reads a configuration. */
export const configOption = {
  type: 'string',
  short: 'c',
  value: 'FILE',
  help: 'the configuration file (default: ./signalbox.config.ts)',
} as const

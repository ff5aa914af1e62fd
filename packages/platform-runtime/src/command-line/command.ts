/** One option of a command, as `node:util` parses it, with its line in the help. */
export interface Option {
  readonly type: 'boolean' | 'string'
  readonly short?: string
  readonly multiple?: boolean
  /**
   * The placeholder of the value in the help, such as `FILE`. A boolean option with a placeholder has an optional value,
   * which the command gets as an operand.
   */
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

/** A command that runs in a context, such as a terminal. */
export interface CommandIn<
  Context,
  O extends { readonly [name: string]: Option } = { readonly [name: string]: Option },
> {
  /** The name of the command: one or two words, such as `mail flush`. */
  readonly name: string
  /** One line that describes the command in the overview. */
  readonly summary: string
  /** What the command is about: the heading under which the overview lists it. See `commandsAbout()`. */
  readonly subject?: string
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
  readonly run: (values: Values<O>, operands: readonly string[], context: Context) => Promise<ExitCode>
}

/** Returns commands with the heading under which the overview lists them. */
export function commandsAbout<C extends CommandIn<never>>(
  subject: string,
  commands: readonly C[],
): readonly C[] {
  return commands.map(command => ({ ...command, subject }))
}

/** The option of each command that reads a configuration. */
export const configOption = {
  type: 'string',
  short: 'c',
  value: 'FILE',
  help: 'the configuration file (default: ./signalbox.config.ts)',
} as const

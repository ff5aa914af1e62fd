import type { CommandContext } from '@signalbox/platform-runtime/command-line'

/** The JSON Schema of a tool's arguments, as far as the tools need it. */
export interface Arguments {
  readonly [name: string]: {
    readonly type: 'string' | 'integer'
    readonly description: string
    readonly isRequired?: true
  }
}

/** The values of a tool's arguments. */
export type Given = Readonly<Record<string, string | number | undefined>>

/** What a tool can use. */
export interface ToolContext {
  readonly context: CommandContext
  /** The file of the configuration, unless it is the default. */
  readonly config: string | undefined
  /**
   * Runs a command line, without `--config`, and returns what it prints.
   * @throws Error with what the command prints, if it fails
   */
  readonly run: (words: readonly string[]) => Promise<string>
}

/** A tool that clients call. */
export interface Tool {
  readonly description: string
  readonly arguments: Arguments
  /** Whether the tool changes something. */
  readonly changes?: true
  /** Whether the answer has codes, or mails of user pools, which identities without the right to act do not see. */
  readonly hasCodes?: true
  /**
   * Returns the answer as text.
   * @throws Error whose message is the answer, which then counts as an error
   */
  readonly answer: (given: Given, context: ToolContext) => Promise<string>
}

/** Returns a value as the text of an answer. */
export function jsonAnswer(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** The option of commands that print JSON. */
export const json = '--json'

/** Returns operands of a command, which may begin with a hyphen. */
export function operands(...values: readonly (string | number | undefined)[]): readonly string[] {
  return ['--', ...values.filter(each => each !== undefined).map(String)]
}

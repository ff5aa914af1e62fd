import type { Paint } from './paint.ts'

/** Asks the user a question. Resolves with the answer. */
export type Ask = (question: string, options?: { readonly isHidden?: boolean }) => Promise<string>

/** Lets the user choose one name, or at least one of several. Resolves with the chosen names. */
export type Choose = (
  question: string,
  names: readonly string[],
  settings: {
    /** The name that is chosen at first. */
    readonly chosen: string
    readonly isOne: boolean
  },
) => Promise<readonly string[]>

export interface Terminal {
  /** The folder to which relative paths refer. */
  readonly cwd: string
  readonly paint: Paint
  /** Prints one or several lines to stdout. */
  readonly print: (text: string) => void
  /**
   * Calls the listener each time stdout cannot be written, because its reader has gone or its disk is full. Without a
   * listener, the process ends then.
   */
  readonly onLostOutput?: (listener: () => void) => void
  /** Prints one or several lines to stderr. */
  readonly printError: (text: string) => void
  /**
   * Asks the user for one line of input. With `isHidden`, the terminal does not show the input. Absent when no user can
   * answer, as in a script.
   */
  readonly ask?: Ask
  /** Lets the user choose from a list. Absent when no user can answer. */
  readonly choose?: Choose
  /**
   * Shows the progress of long work on one line. The next call replaces the line, and an empty string removes it.
   * Absent unless stderr is a terminal.
   */
  readonly progress?: (text: string) => void
  /**
   * Aborts when the user stops the command. A command that reads this property has to end itself; any other command
   * ends at once.
   */
  readonly stop: AbortSignal
}

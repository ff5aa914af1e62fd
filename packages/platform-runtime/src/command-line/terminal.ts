import type { Paint } from './paint.ts'

/** Asks a user. */
export type Ask = (question: string, options?: { readonly isHidden?: boolean }) => Promise<string>

/** The terminal of a command. */
export interface Terminal {
  /** The folder that relative paths start at. */
  readonly cwd: string
  readonly paint: Paint
  /** A line, or several, on the standard output. */
  readonly print: (text: string) => void
  /** A line, or several, on the standard error. */
  readonly printError: (text: string) => void
  /**
   * Asks the user, who answers with a line; `isHidden` for one that must not be seen. Absent where no user can answer, as
   * in a script.
   */
  readonly ask?: Ask
  /**
   * Shows how far long work is, on one line that the next call replaces and an empty text removes. Absent unless the
   * standard error is a terminal.
   */
  readonly progress?: (text: string) => void
  /**
   * Aborts when the user stops the command. A command that reads this property has to end by itself; any other command
   * ends at once.
   */
  readonly stop: AbortSignal
}

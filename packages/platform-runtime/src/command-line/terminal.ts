import type { Paint } from './paint.ts'

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
   * Aborts when the user stops the command. A command that reads this property has to end by itself; any other command
   * ends at once.
   */
  readonly stop: AbortSignal
}

import type { Paint } from './paint.ts'

/** What a command sees of the world in which it was called. */
export interface Terminal {
  /** The folder that relative paths start at. */
  readonly cwd: string
  readonly paint: Paint
  /** A line, or several, on the standard output. */
  readonly print: (text: string) => void
  /** A line, or several, on the standard error. */
  readonly printError: (text: string) => void
  /**
   * Aborted when the user asks the command to end. Whoever reads this takes on to end in order; a command that does
   * not ends at once.
   */
  readonly stop: AbortSignal
}

/** Limits for the requests of mail servers, in addition to those of the configuration. */
export interface HooksBounds {
  /**
   * Milliseconds after which the mail server gets an answer although nothing was decided. A function has 15 seconds. The
   * milter bridge waits 20 seconds; Haraka waits 29, and then lets the mail pass unless it is told otherwise.
   */
  readonly decision: number
  /** The number of bytes around the text of a mail in a JSON body: headers, recipients, context. */
  readonly around: number
}

export const hooksBounds: HooksBounds = { decision: 18_000, around: 1024 * 1024 }

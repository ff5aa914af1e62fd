/** Limits for the connections of mail servers, in addition to those of the configuration. */
export interface MilterBounds {
  /** The maximum number of bytes of a packet. Postfix sends 100 KB of a header, and 64 KB of a body. */
  readonly packet: number
  /**
   * The maximum time in milliseconds without a byte. The mail server is silent while its client sends a mail, which can
   * take an hour.
   */
  readonly idle: number
  /** Milliseconds between two signs of progress while a function decides. */
  readonly progress: number
  /** Milliseconds after which the mail server gets a reply although nothing was decided. Its client waits ten minutes. */
  readonly decision: number
}

export const milterBounds: MilterBounds = {
  packet: 256 * 1024,
  idle: 2 * 60 * 60_000,
  progress: 5000,
  decision: 5 * 60_000,
}

/** Limits for clients, in addition to those of the configuration. */
export interface Bounds {
  /**
   * The maximum time in milliseconds without a byte from the client. RFC 5321, 4.5.3.2, requires at least five minutes.
   */
  readonly idle: number
  /**
   * The maximum time in milliseconds from the start of the connection, or from the last mail, to the next mail.
   */
  readonly progress: number
  /** Milliseconds after which a connection accepts no further mail. */
  readonly session: number
  /**
   * The number of commands without a mail after which the connection is closed. Accepted recipients do not
   * count.
   */
  readonly idleCommands: number
  /** The number of refused recipients after which the connection of a client that is not trusted is closed. */
  readonly refusedRecipients: number
  /** The maximum time for the transfer of one mail in milliseconds. */
  readonly duration: number
  /** The maximum number of bytes of a command line. RFC 5321 requires 512, and extensions require more. */
  readonly commandLine: number
  /** The number of unrecognized commands without a mail after which the connection is closed. */
  readonly unrecognizedCommands: number
  /** The maximum number of bytes of all mails that are being transferred or stored. */
  readonly memory: number
  /** The number of bytes beyond the size limit after which the connection is closed. */
  readonly excess: number
}

export const bounds: Bounds = {
  idle: 5 * 60_000,
  progress: 10 * 60_000,
  session: 60 * 60_000,
  idleCommands: 100,
  refusedRecipients: 20,
  duration: 60 * 60_000,
  commandLine: 2048,
  unrecognizedCommands: 10,
  memory: 512 * 1024 * 1024,
  excess: 4 * 1024 * 1024,
}

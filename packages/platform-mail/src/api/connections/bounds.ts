/** Limits of clients in addition to those of the configuration. */
export interface Bounds {
  /** Milliseconds without a byte from the client: the five minutes of RFC 5321, 4.5.3.2. */
  readonly idle: number
  /** Milliseconds until the next mail, from the start of the connection or from the last mail. */
  readonly progress: number
  /** Milliseconds after which a connection accepts no further mail. */
  readonly session: number
  /** Commands without a mail after which the connection is closed. Accepted recipients do not count. */
  readonly idleCommands: number
  /** Refused recipients after which the connection of a client that is not trusted is closed. */
  readonly refusedRecipients: number
  /** Milliseconds for the transfer of one mail. */
  readonly duration: number
  /** Bytes of a command line. RFC 5321 asks for 512, and extensions add to that. */
  readonly commandLine: number
  /** Unrecognized commands without a mail after which the connection is closed. */
  readonly unrecognizedCommands: number
  /** Bytes of all mails that are being transferred or stored. */
  readonly memory: number
  /** Bytes beyond the size limit after which the connection is closed. */
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

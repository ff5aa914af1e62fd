/** What clients may use up, beside the limits of the configuration. */
export interface Bounds {
  /** Milliseconds for which a client may say nothing: the five minutes of RFC 5321, 4.5.3.2. */
  readonly idle: number
  /** Milliseconds in which a connection has to bring a mail, counted from its start or the mail before. */
  readonly progress: number
  /** Milliseconds after which a connection takes no further mail. */
  readonly session: number
  /** Commands that bring no mail any further, after which the connection is closed. A mail starts the count anew. */
  readonly idleCommands: number
  /** Recipients of a connection that are refused, after which it is closed. Not for clients that are trusted. */
  readonly refusedRecipients: number
  /** Milliseconds that a mail may take to come in, however often the client says something. */
  readonly duration: number
  /** Bytes of a command line. RFC 5321 asks for 512, and extensions add to that. */
  readonly commandLine: number
  /** Commands in a row that are none, after which the connection is closed. */
  readonly missteps: number
  /** Bytes of all mails that are on their way in at a time, up to the disk. */
  readonly memory: number
  /** Bytes that a client may send beyond the size limit before it is cut off. */
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
  missteps: 10,
  memory: 512 * 1024 * 1024,
  excess: 4 * 1024 * 1024,
}

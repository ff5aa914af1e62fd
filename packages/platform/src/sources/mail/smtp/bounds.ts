/** What clients may use up, beside the limits of the configuration. */
export interface Bounds {
  /** Connections at a time. */
  readonly clients: number
  /** Milliseconds for which a client may say nothing: the five minutes of RFC 5321, 4.5.3.2. */
  readonly idle: number
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
  clients: 200,
  idle: 5 * 60_000,
  duration: 60 * 60_000,
  commandLine: 2048,
  missteps: 10,
  memory: 512 * 1024 * 1024,
  excess: 4 * 1024 * 1024,
}

import type { FallbackName } from '@signalbox/mail-flow/contract'

/** Mail flow with nothing left open. Times in milliseconds. */
export interface MailSettings {
  readonly port: number
  readonly host: string
  /** What the server calls itself: in its greeting, in `Received` lines and in reports. */
  readonly name: string
  /** By domain, in lower case: the local parts that have a mailbox there, or `*` for any. */
  readonly mailboxes: ReadonlyMap<string, '*' | ReadonlySet<string>>
  /** One for each direction at most. */
  readonly rules: readonly MailRule[]
  /** Where mail for elsewhere goes; `keep` leaves it in Maildirs of the box. Undefined when none is taken. */
  readonly relay: 'keep' | RelaySettings | undefined
  /** PEM. */
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined
  /** Addresses and networks, beside this machine, whose mail for elsewhere is taken. */
  readonly trusted: readonly string[]
  /** Bytes. */
  readonly sizeLimit: number
  readonly recipientsLimit: number
  /** For how long a mail can be read by its id, counted from when it came. */
  readonly retention: number
}

/** Which function decides on the mail of one direction. Contract C. */
export interface MailRule {
  readonly direction: 'INBOUND' | 'OUTBOUND'
  readonly functionName: string
  /** Whether delivery waits for what the function says. */
  readonly mode: 'sync' | 'async'
  /** Minutes for which a failed invocation is tried again. */
  readonly timeout: number
  readonly fallback: FallbackName
}

/** The server that takes mail for elsewhere. */
export interface RelaySettings {
  readonly host: string
  readonly port: number
  /** TLS from the first byte on. */
  readonly secure: boolean
  readonly user: string | undefined
  readonly password: string | undefined
  /** For how long delivery is tried. */
  readonly giveUp: number
}

import type { LimitsConfig, TlsConfig } from '@signalbox/platform-runtime/config'

/**
 * The configuration of the mail server, with the mail that it accepts, the functions that decide on this mail, and the
 * destinations of this mail.
 */
export interface MailConfig<FunctionName extends string = string> {
  /** The port of the listener. Default 2525. 0 means any free port. */
  readonly port?: number
  /** The address of the listener. Default `127.0.0.1`, which only this machine can reach. */
  readonly host?: string
  /** Whether other machines may send mail to `domains` without a key, as mail servers do. Default false. */
  readonly open?: boolean
  /** The name of the server. Default `localhost`. */
  readonly name?: string
  /** The platform's own domains, each with the destination of its mail. Mail to them is inbound. */
  readonly domains?: { readonly [domain: string]: MailDomainConfig }
  /**
   * The functions that decide on mail. When several rules match a mail and a recipient, the most specific one applies.
   * Mail without a rule is delivered.
   */
  readonly rules?: readonly MailRuleConfig<FunctionName>[]
  /**
   * The destination of mail for other domains, and for domains with the destination `relay`: a server or, for
   * development, `keep`, which delivers this mail into mailboxes of this platform.
   */
  readonly relay?: 'keep' | RelayConfig
  /** The files of a certificate and its key (PEM), with which the server offers STARTTLS. */
  readonly tls?: TlsConfig
  /** Addresses and networks that may send mail to other domains. Without `access`, this machine is always trusted. */
  readonly trusted?: readonly string[]
  /**
   * A listener for clients that authenticate with a key. The rights of the key list the sender addresses that the
   * client may use. The listener requires `access`, and also `tls` when other machines can reach it.
   */
  readonly submission?: SubmissionConfig
  /** The size limit of a mail in MB. Default 25. */
  readonly maxSize?: number
  /** The maximum number of recipients of a mail. Default 500. */
  readonly maxRecipients?: number
  /** The maximum number of concurrent connections. Default 200. */
  readonly maxConnections?: number
  /**
   * The maximum number of concurrent connections from one address that is not trusted. Default 20. A trusted address
   * can take up half of all connections.
   */
  readonly maxConnectionsPerAddress?: number
  /** The maximum number of refused recipients in an hour for one address that is not trusted. Default 100. */
  readonly maxRefusedRecipients?: number
  /**
   * Whether a client that uses a key must have the right to every address in the headers From, Sender, Resent-From and
   * Resent-Sender of its mail. Default true.
   */
  readonly checkFrom?: boolean
  /** The limits of one address that is not trusted. `requests` counts mails. By default, there are no limits. */
  readonly limits?: LimitsConfig
  /** The number of days for which a mail can be fetched by its id. Default 7. */
  readonly retention?: number
}

/** The address of the submission listener. */
export interface SubmissionConfig {
  /** The port of the listener. Default 2587. 0 means any free port. */
  readonly port?: number
  /** The address of the listener. Default `127.0.0.1`, which only this machine can reach. */
  readonly host?: string
}

/** The mail to one of the platform's own domains. Rules decide on it, wherever it goes. */
export interface MailDomainConfig {
  /** `mailboxes` means that this platform keeps the mail. `relay` means that the server of `relay` gets it. */
  readonly to: 'mailboxes' | 'relay'
  /** The local parts that get mail, or `*` for any local part, which is the default. The postmaster always gets mail. */
  readonly recipients?: '*' | readonly string[]
  /**
   * Whether mail to `ann+shop` is mail to `ann`, unless `recipients` lists `ann+shop`. With the destination `relay`, this
   * is only about which addresses are accepted. Default true.
   */
  readonly subaddresses?: boolean
  /**
   * Further local parts, each with the mailbox that gets their mail: a local part of this domain, or an address in another
   * domain with mailboxes. Only for the destination `mailboxes`.
   */
  readonly aliases?: { readonly [localPart: string]: string }
}

/** Names the function that decides on some of the mail in one direction: docs/contract/mail-flow.md#verdict. */
export interface MailRuleConfig<FunctionName extends string = string> {
  /** `INBOUND` is mail to `domains`. `OUTBOUND` is all other mail. */
  readonly direction: 'INBOUND' | 'OUTBOUND'
  /**
   * Patterns of the senders that the rule is for: an address; a local part with `*`, such as `news-*@far.example`; a
   * domain; `*.far.example` for subdomains; `<>` for the null sender; or `*`, which is the default. The sender is that of
   * the envelope.
   */
  readonly senders?: readonly string[]
  /** Patterns of the recipients that the rule is for, as in `senders`. Default `*`. */
  readonly recipients?: readonly string[]
  readonly function: FunctionName
  /**
   * With `sync`, the function decides and must respond within 15 seconds. With `async`, the mail is delivered at once.
   * Default `sync`.
   */
  readonly mode?: 'sync' | 'async'
  /** The number of minutes for which a failed invocation is retried, up to 240. Default 0, which means no retries. */
  readonly timeout?: number
  /**
   * The action for mail on which the function did not decide. Default `DEFAULT`. The last two are only for inbound mail.
   */
  readonly fallback?: 'DEFAULT' | 'DROP' | 'BOUNCE' | 'BYPASS_SPAM_CHECK' | 'MOVE_TO_JUNK'
}

/** How the connection to a relay is encrypted. */
export type RelayTls = 'implicit' | 'verify' | 'opportunistic' | 'never'

/** The server that accepts mail for other domains. */
export interface RelayConfig {
  readonly host: string
  /** The port of the server. The default is 465 with implicit TLS, 587 with a user, and 25 otherwise. */
  readonly port?: number
  /**
   * How the connection is encrypted. Default `verify`, or `opportunistic` for a server on this machine without `ca`.
   *
   * - `implicit`: TLS begins with the first byte, and the certificate is checked.
   * - `verify`: the server must offer STARTTLS, and the certificate is checked.
   * - `opportunistic`: STARTTLS is used when the server offers it. No certificate is checked, and mail goes in plain text
   *   when there is no TLS; but a password never does, except on this machine.
   * - `never`: the connection is plain text.
   */
  readonly tls?: RelayTls
  /** The file of the certificates (PEM) that may sign the server's. Default: those that Node trusts. */
  readonly ca?: string
  readonly user?: string
  readonly password?: string
  /** The number of days for which a delivery is retried. Default 5. */
  readonly giveUp?: number
}

/** The configuration key `mail`. */
export interface MailsConfig<FunctionName extends string = string> {
  readonly mail?: MailConfig<NoInfer<FunctionName>>
}

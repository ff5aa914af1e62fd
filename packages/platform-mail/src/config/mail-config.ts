/** Mail over SMTP: what comes in, which functions decide on it, and where it goes. */
export interface MailConfig<FunctionName extends string = string> {
  /** Default 2525; 0 takes any that is free. */
  readonly port?: number
  /** Default `127.0.0.1`, which only this machine reaches. Nobody is authenticated. */
  readonly host?: string
  /** What the server calls itself. Default `localhost`. */
  readonly name?: string
  /** The domains whose mail stays here, each with the local parts that have a mailbox, or `*` for any. */
  readonly mailboxes?: { readonly [domain: string]: '*' | readonly string[] }
  /** One for each direction at most. Mail without a rule is delivered. */
  readonly rules?: readonly MailRuleConfig<FunctionName>[]
  /** Where mail for all other domains goes: to a server, or with `keep` into mailboxes here, for development. */
  readonly relay?: 'keep' | RelayConfig
  /** Files with a certificate and its key (PEM), with which STARTTLS is offered. */
  readonly tls?: TlsConfig
  /** Addresses and networks, beside this machine, that may send mail for all other domains. */
  readonly trusted?: readonly string[]
  /** MB of a mail at most. Default 25. */
  readonly maxSize?: number
  /** Recipients of a mail at most. Default 500. */
  readonly maxRecipients?: number
  /** Connections at a time. Default 200. */
  readonly maxConnections?: number
  /** Connections at a time from one address that is not trusted. Default 20. One that is trusted may have half of all. */
  readonly maxConnectionsPerAddress?: number
  /** Recipients in an hour that one address may name and have refused, unless it is trusted. Default 100. */
  readonly maxRefusedRecipients?: number
  /** Days for which a mail can be read by its id. Default 7. */
  readonly retention?: number
}

/** Which function decides on mail. Contract C. */
export interface MailRuleConfig<FunctionName extends string = string> {
  /** `INBOUND`: for the domains that have mailboxes here. `OUTBOUND`: for all others. */
  readonly direction: 'INBOUND' | 'OUTBOUND'
  readonly function: FunctionName
  /** `sync`: delivery waits for the answer, 15 seconds. `async`: it does not, and nothing comes of it. Default `sync`. */
  readonly mode?: 'sync' | 'async'
  /** Minutes for which a failed invocation is tried again, up to 240. Default 0: not at all. */
  readonly timeout?: number
  /** What happens to mail on which the function has not decided. Default `DEFAULT`. */
  readonly fallback?: 'DEFAULT' | 'DROP' | 'BOUNCE'
}

/** A server that takes mail for everybody. */
export interface RelayConfig {
  readonly host: string
  /** Default 25; 587 with a user, 465 with `secure`. */
  readonly port?: number
  /** TLS from the first byte on. Default false: it is used when the server offers it. */
  readonly secure?: boolean
  readonly user?: string
  readonly password?: string
  /** Days for which delivery is tried. Default 5. */
  readonly giveUp?: number
}

/** Files, relative to the configuration. */
export interface TlsConfig {
  readonly cert: string
  readonly key: string
}

/** The key of a configuration that belongs to mail. */
export interface MailsConfig<FunctionName extends string = string> {
  readonly mail?: MailConfig<NoInfer<FunctionName>>
}

import {
  type ConfigOf,
  days,
  defaultHost,
  integerFrom,
  isObject,
  type LimitsConfig,
  listenerLimits,
  mapOf,
  matching,
  megabytes,
  nonEmptyText,
  numberFrom,
  objectOf,
  optional,
  port,
  type Rule,
  required,
  secretText,
  textLike,
  tlsFiles,
} from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import { domainShape, isDomain, isNetwork, subaddress } from './address-shapes.ts'

export const submissionFields = {
  /** The port of the listener. Default 2587. 0 means any free port. */
  port: optional(port, 2587),
  /** The address of the listener. Default `127.0.0.1`, which only this machine can reach. */
  host: optional(nonEmptyText, defaultHost),
  /**
   * The port of a second listener, where TLS begins with the first byte, such as 465. Requires `mail.tls`. 0 means any free
   * port. Default: none.
   */
  implicitTlsPort: optional(port),
}

export const lmtpFields = {
  /** The port of the listener. Default 2424. 0 means any free port. */
  port: optional(port, 2424),
  /** The address of the listener. Default `127.0.0.1`, which only this machine can reach. */
  host: optional(nonEmptyText, defaultHost),
  /** Whether other machines may hand over mail to `domains` without a key. Default false. */
  open: optional(t.boolean, false),
}

export const authenticationFields = {
  /**
   * Whether the platform checks SPF, DKIM and DMARC of mail from clients that are neither trusted nor authenticated. Needs the
   * package `mailauth`. Default true.
   */
  check: optional(t.boolean, true),
  /** The number of seconds for the checks of a mail. What is not known then is a `temperror`. Default 5. */
  timeout: optional(numberFrom(1, 60, 'seconds'), 5),
  /**
   * The names (authserv-ids) with which servers in front of the platform write `Authentication-Results`. They are believed in
   * mail from trusted clients. Default: none.
   */
  upstream: optional(t.readonlyArray(nonEmptyText, 'a list of names'), []),
}

/** What the event says about the sender of a mail. */
export interface AuthenticationConfig extends ConfigOf<typeof authenticationFields> {}

const authentication = Object.assign(
  matching<boolean | AuthenticationConfig>(
    'true, or an object',
    value => typeof value === 'boolean' || isObject(value),
  ),
  { fields: authenticationFields },
)

/** The address of the LMTP listener. */
export interface LmtpConfig extends ConfigOf<typeof lmtpFields> {}

/** The address of the submission listener. */
export interface SubmissionConfig extends ConfigOf<typeof submissionFields> {}

export const lmtpServerFields = {
  /** The host name or address of the server. Default `127.0.0.1`. */
  host: optional(nonEmptyText, defaultHost),
  /** The port of the server. Default 24. */
  port: optional(integerFrom(1, 65_535), 24),
  /** The path of the server's Unix socket, instead of `host` and `port`. */
  socket: optional(nonEmptyText),
}

/** A server that files mail, such as Dovecot. STARTTLS is used when it is offered, without a check of the certificate. */
export interface LmtpServerConfig extends ConfigOf<typeof lmtpServerFields> {}

const destinationFields = {
  /** The server that gets the mail over LMTP, and says for each recipient whether it has it. */
  lmtp: required(objectOf<LmtpServerConfig>(lmtpServerFields)),
}

/** The server that files the mail of a domain. */
export interface MailDestinationConfig extends ConfigOf<typeof destinationFields> {}

const destination = Object.assign(
  matching<'mailboxes' | 'relay' | MailDestinationConfig>(
    'mailboxes, relay, or an object such as { lmtp: { port: 24 } }',
    value => value === 'mailboxes' || value === 'relay' || isObject(value),
  ),
  { fields: destinationFields },
)

export const milterFields = {
  /** The port of the listener. 0 means any free port. Instead of a socket. */
  port: optional(port),
  /** The address of the listener. Default `127.0.0.1`, which only this machine can reach. */
  host: optional(nonEmptyText, defaultHost),
  /**
   * The path of a Unix socket instead of a port, relative to the project. The owner and the group of the socket may use
   * it. One that a killed platform has left is replaced.
   */
  socket: optional(nonEmptyText),
  /** Whether other machines may ask. The protocol has neither authentication nor encryption. Default false. */
  open: optional(t.boolean, false),
  /**
   * A subaddress such as `junk`: when a mail belongs into the junk folder of some recipients only, theirs goes to
   * `ann+junk`. Default: none, and such a mail goes to the inbox of all.
   */
  junkSubaddress: optional(subaddress),
}

/** Where mail servers such as Postfix ask what happens to their mail, by the milter protocol. */
export interface MilterConfig extends ConfigOf<typeof milterFields> {}

/** The shape of a selector, which is a label of a domain name. */
export const selectorShape = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

const dkimFields = {
  /** The name of the key in DNS: `s1` is the record `s1._domainkey` of the domain. */
  selector: required(textLike('letters, digits and -', selectorShape)),
  /** The file of the private key (PEM, RSA), which only its owner can read (mode 600). */
  key: required(nonEmptyText),
}

/** The key that signs the mail of a domain. `signalbox mail dkim` makes one, and prints its record. */
export interface DkimConfig extends ConfigOf<typeof dkimFields> {}

export const hooksFields = {
  /** The port of the listener. 0 means any free port. */
  port: required(port),
  /** The address of the listener. Default `127.0.0.1`, which only this machine can reach. Other addresses need `tls`. */
  host: optional(nonEmptyText, defaultHost),
  /**
   * The secret of the mail servers, of at least 16 characters. They send it as a bearer token, or as the password of any
   * user.
   */
  secret: required(secretText),
  /** The files of a certificate and its key (PEM). With them, mail servers connect over HTTPS. */
  tls: optional(tlsFiles),
  /**
   * A subaddress such as `junk`: when a mail belongs into the junk folder of some recipients only, theirs goes to
   * `ann+junk`. Default: none, and such a mail goes to the inbox of all.
   */
  junkSubaddress: optional(subaddress),
}

/** Where mail servers such as Stalwart, Haraka and OpenSMTPD ask what happens to their mail, over HTTP. */
export interface HooksConfig extends ConfigOf<typeof hooksFields> {}

export const mailDomainFields = {
  /**
   * `mailboxes` means that this platform keeps the mail. `relay` means that the server of `relay` gets it. With `lmtp`, a
   * server such as Dovecot files it.
   */
  to: required(destination),
  /** The local parts that get mail, or `*` for any local part, which is the default. The postmaster always gets mail. */
  recipients: optional(
    matching<'*' | readonly string[]>(
      '* or a list of local parts',
      value => value === '*' || Array.isArray(value),
    ),
    '*',
  ),
  /**
   * Whether mail to `ann+shop` is mail to `ann`, unless `recipients` lists `ann+shop`. With another server as the
   * destination, this is only about which addresses are accepted. Default true.
   */
  subaddresses: optional(t.boolean, true),
  /**
   * Further local parts, each with the mailbox that gets their mail: a local part of this domain, or an address in another
   * domain with mailboxes. Only for the destination `mailboxes`.
   */
  aliases: optional(matching<{ readonly [localPart: string]: string }>('an object', isObject), {}),
  /** The key with which mail of this domain to other domains is signed (DKIM). Default: none. */
  dkim: optional(objectOf<DkimConfig>(dkimFields)),
}

/** The mail to one of the platform's own domains. Rules decide on it, wherever it goes. */
export interface MailDomainConfig extends ConfigOf<typeof mailDomainFields> {}

const patterns = matching<readonly string[]>(
  'a list of patterns such as office.example, *.office.example or ann@office.example',
  value => Array.isArray(value) && value.length > 0,
)

export const mailRuleFields = {
  /** `INBOUND` is mail to `domains`. `OUTBOUND` is all other mail. */
  direction: required(t.keyof({ INBOUND: null, OUTBOUND: null })),
  /** The function that decides on the mail. */
  function: required(t.string),
  /**
   * Patterns of the senders that the rule is for: an address; a local part with `*`, such as `news-*@far.example`; a
   * domain; `*.far.example` for subdomains; `<>` for the null sender; or `*`, which is the default. The sender is that of
   * the envelope.
   */
  senders: optional(patterns, ['*']),
  /** Patterns of the recipients that the rule is for, as in `senders`. Default `*`. */
  recipients: optional(patterns, ['*']),
  /**
   * With `sync`, the function decides and must respond within 15 seconds. With `async`, the mail is delivered at once.
   * Default `sync`.
   */
  mode: optional(t.keyof({ sync: null, async: null }), 'sync'),
  /** The standard queue for documents about failed executions of a durable function, which has the mode `async`. */
  onFailure: optional(nonEmptyText),
  /**
   * When the function decides. With `before`, the client gets its reply after the decision: a mail that bounces is refused
   * with 550, and while the function fails, the client is asked to send the mail again later. With `after`, the client gets
   * its reply at once, and the sender of a mail that bounces gets a report. Default `after`. Over LMTP, the function always
   * decides before.
   */
  decide: optional(t.keyof({ before: null, after: null }), 'after'),
  /**
   * The number of minutes for which a failed invocation is retried, up to 240. Default 0, which means no retries. With
   * `decide: 'before'`, the client retries.
   */
  timeout: optional(numberFrom(0, 240, 'minutes'), 0),
  /**
   * The action for mail on which the function did not decide. Default `DEFAULT`. The last two are only for inbound mail.
   */
  fallback: optional(
    t.keyof({ DEFAULT: null, DROP: null, BOUNCE: null, BYPASS_SPAM_CHECK: null, MOVE_TO_JUNK: null }),
    'DEFAULT',
  ),
}

/** Names the function that decides on some of the mail in one direction: docs/contract/mail-flow.md#verdict. */
export interface MailRuleConfig<FunctionName extends string = string>
  extends ConfigOf<typeof mailRuleFields> {
  readonly function: FunctionName
}

/** How the connection to a relay is encrypted. */
export type RelayTls = 'implicit' | 'verify' | 'opportunistic' | 'never'

export const relayFields = {
  /** The host name or address of the server. */
  host: required(nonEmptyText),
  /** The port of the server. The default is 465 with implicit TLS, 587 with a user, and 25 otherwise. */
  port: optional(integerFrom(1, 65_535)),
  /**
   * How the connection is encrypted. Default `verify`, or `opportunistic` for a server on this machine without `ca`.
   *
   * - `implicit`: TLS begins with the first byte, and the certificate is checked.
   * - `verify`: the server must offer STARTTLS, and the certificate is checked.
   * - `opportunistic`: STARTTLS is used when the server offers it. No certificate is checked, and mail goes in plain text
   *   when there is no TLS; but a password never does, except on this machine.
   * - `never`: the connection is plain text.
   */
  tls: optional<RelayTls>(t.keyof({ implicit: null, verify: null, opportunistic: null, never: null })),
  /** The file of the certificates (PEM) that may sign the server's. Default: those that Node trusts. */
  ca: optional(nonEmptyText),
  /** The user as whom the platform authenticates. Default: none. */
  user: optional(nonEmptyText),
  /** The password of the user. */
  password: optional(nonEmptyText),
  /** The number of days for which a delivery is retried. Default 5. */
  giveUp: optional(days(0, 30), 5),
}

/** The server that accepts mail for other domains. */
export interface RelayConfig extends ConfigOf<typeof relayFields> {}

const relay = Object.assign(
  matching<'keep' | RelayConfig>('keep, or an object', value => value === 'keep' || isObject(value)),
  {
    fields: relayFields,
    instead: { secure: "tls, which is 'implicit' if TLS begins with the first byte" },
  },
)

const rules: Rule<readonly MailRuleConfig[]> = Object.assign(
  matching<readonly MailRuleConfig[]>('a list of rules', Array.isArray),
  { fields: mailRuleFields },
)

export const mailFields = {
  /** The port of the listener. Default 2525. 0 means any free port. */
  port: optional(port, 2525),
  /** The address of the listener. Default `127.0.0.1`, which only this machine can reach. */
  host: optional(nonEmptyText, defaultHost),
  /** Whether other machines may send mail to `domains` without a key, as mail servers do. Default false. */
  open: optional(t.boolean, false),
  /** The name of the server. Default `localhost`. */
  name: optional(
    matching<string>('a domain name', value => typeof value === 'string' && isDomain(value)),
    'localhost',
  ),
  /** The platform's own domains, each with the destination of its mail. Mail to them is inbound. */
  domains: optional(
    mapOf<MailDomainConfig>(mailDomainFields, {
      pattern: domainShape,
      expected: 'a domain name',
      value: "an object such as { to: 'mailboxes' }",
    }),
    {},
  ),
  /**
   * The functions that decide on mail. When several rules match a mail and a recipient, the most specific one applies.
   * Mail without a rule is delivered.
   */
  rules: optional(rules, []),
  /**
   * What happens over SMTP to a mail that functions bounce for some of its recipients before the reply, because there is one
   * reply for all of them. With `reject`, the mail is refused for all, and the reply says for whom it bounces. With `report`,
   * the mail is accepted, and the sender gets a report. Default `reject`.
   */
  mixed: optional(t.keyof({ reject: null, report: null }), 'reject'),
  /**
   * The maximum number of reports about bounced mail in an hour to the addresses of one domain, because senders can be
   * forged. Default 100.
   */
  maxReports: optional(integerFrom(0, 1_000_000), 100),
  /**
   * The destination of mail for other domains, and for domains with the destination `relay`: a server or, for
   * development, `keep`, which delivers this mail into mailboxes of this platform.
   */
  relay: optional(relay),
  /** The files of a certificate and its key (PEM), with which the server offers STARTTLS. */
  tls: optional(tlsFiles),
  /**
   * A listener for clients that authenticate with a key. The rights of the key list the sender addresses that the
   * client may use. The listener requires `access`, and also `tls` when other machines can reach it.
   */
  submission: optional(objectOf<SubmissionConfig>(submissionFields)),
  /**
   * A listener for another mail server, which hands over mail by LMTP (RFC 2033): functions decide before the reply, and
   * each recipient has its own reply.
   */
  lmtp: optional(objectOf<LmtpConfig>(lmtpFields)),
  /**
   * A listener for mail servers that keep their mail, such as Postfix and Sendmail. They ask about each mail before they
   * accept it, and do what the functions decide.
   */
  milter: optional(
    objectOf<MilterConfig>(milterFields, {
      tls: 'a socket, or a network that only the mail server uses: the milter protocol has no TLS',
    }),
  ),
  /**
   * A listener for mail servers that keep their mail and ask over HTTP, such as Stalwart, Haraka and OpenSMTPD. They do what
   * the functions decide.
   */
  hooks: optional(
    objectOf<HooksConfig>(hooksFields, {
      open: 'no such setting: each mail server needs the secret, and other machines also need tls',
    }),
  ),
  /**
   * The results of SPF, DKIM and DMARC in the event, and in a header `Authentication-Results` with the `name` of the server.
   * `true` means the defaults. Default: none.
   */
  authentication: optional(authentication),
  /** Addresses and networks that may send mail to other domains. Without `access`, this machine is always trusted. */
  trusted: optional(
    t.readonlyArray(
      matching<string>('an address or a network such as 10.0.0.0/8', isNetwork),
      'a list of addresses',
    ),
    [],
  ),
  // All mails in transfer together can use 512 MB of memory, so a single mail cannot be larger.
  /** The size limit of a mail in MB. Default 25. */
  maxSize: optional(megabytes(0.001, 512), 25),
  /** The maximum number of recipients of a mail. Default 500. */
  maxRecipients: optional(integerFrom(1, 10_000), 500),
  /** The maximum number of concurrent connections. Default 200. */
  maxConnections: optional(integerFrom(1, 10_000), 200),
  /**
   * The maximum number of concurrent connections from one address that is not trusted. Default 20. A trusted address
   * can take up half of all connections.
   */
  maxConnectionsPerAddress: optional(integerFrom(1, 10_000), 20),
  /** The maximum number of refused recipients in an hour for one address that is not trusted. Default 100. */
  maxRefusedRecipients: optional(integerFrom(1, 1_000_000), 100),
  /**
   * Whether a client that uses a key must have the right to every address in the headers From, Sender, Resent-From and
   * Resent-Sender of its mail. Default true.
   */
  checkFrom: optional(t.boolean, true),
  /** The limits of one address that is not trusted. `requests` counts mails. By default, there are no limits. */
  limits: optional<LimitsConfig>(listenerLimits),
  /** The number of days for which a mail can be fetched by its id. Default 7. */
  retention: optional(days(0, 3650), 7),
}

/**
 * The configuration of the mail server, with the mail that it accepts, the functions that decide on this mail, and the
 * destinations of this mail.
 */
export interface MailConfig<FunctionName extends string = string> extends ConfigOf<typeof mailFields> {
  readonly rules?: readonly MailRuleConfig<FunctionName>[]
}

export const mailsFields = {
  /** The mail server. Default: the platform has none. */
  mail: optional(
    objectOf<MailConfig>(mailFields, {
      mailboxes: "domains, such as { 'office.example': { to: 'mailboxes' } }",
    }),
  ),
}

/** The configuration key `mail`. */
export interface MailsConfig<FunctionName extends string = string> extends ConfigOf<typeof mailsFields> {
  readonly mail?: MailConfig<NoInfer<FunctionName>>
}

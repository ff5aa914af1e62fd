import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { domainToASCII } from 'node:url'
import {
  functionFields,
  isOwnAddress,
  readSecret,
  readTlsFiles,
  type TimedFunctions,
  type TlsFiles,
  type ValuesOf,
  valuesOf,
} from '@signalbox/platform-runtime/config'
import { type AddressPattern, addressPattern, partsOf } from '../address-pattern.ts'
import { domainKey } from '../domain-key.ts'
import { mailboxName } from '../mailbox-name.ts'
import { domainForms } from './address-shapes.ts'
import { type DkimKey, dkimKey } from './dkim-key.ts'
import {
  authenticationFields,
  type HooksConfig,
  hooksFields,
  type LmtpServerConfig,
  lmtpFields,
  lmtpServerFields,
  type MailConfig,
  type MailDomainConfig,
  type MailRuleConfig,
  type MilterConfig,
  mailDomainFields,
  mailFields,
  mailRuleFields,
  milterFields,
  type RelayConfig,
  type RelayTls,
  relayFields,
  submissionFields,
} from './mail-config.ts'
import { thisMachine } from './trusted-clients.ts'

/** The settings of mail, with all defaults. Times are in milliseconds, and sizes in bytes. */
export interface MailSettings
  extends Omit<
    ValuesOf<typeof mailFields>,
    'domains' | 'rules' | 'relay' | 'tls' | 'submission' | 'lmtp' | 'milter' | 'hooks' | 'authentication'
  > {
  /** The name of the server in its greeting, in trace lines and in reports. ASCII, as other servers require. */
  readonly name: string
  /** The platform's own domains, by their names in lower case. Non-ASCII domains have two entries. */
  readonly domains: ReadonlyMap<string, MailDomain>
  readonly rules: readonly PatternRule[]
  /** The number of instances of each function, by name. */
  readonly functions: ReadonlyMap<string, number>
  /**
   * The destination of mail for other domains. `keep` means mailboxes of this platform. Undefined if this mail is
   * refused.
   */
  readonly relay: 'keep' | RelaySettings | undefined
  /** The certificate and its key (PEM). */
  readonly tls: TlsFiles | undefined
  /** The address of the submission listener. */
  readonly submission?: ValuesOf<typeof submissionFields> | undefined
  /** The address of the LMTP listener. */
  readonly lmtp?: ValuesOf<typeof lmtpFields> | undefined
  /** The listener for other mail servers. */
  readonly milter?: MilterSettings | undefined
  /** The listener for other mail servers that ask over HTTP. */
  readonly hooks?: HooksSettings | undefined
  /** How the sender of a mail is checked. Undefined if it is not. Names are in lower case. */
  readonly authentication?: ValuesOf<typeof authenticationFields> | undefined
  /** Addresses and networks that may send mail to other domains. Without `access`, this machine is one of them. */
  readonly trusted: readonly string[]
}

/** The listener for other mail servers, which has either a port or a socket. */
export interface MilterSettings extends ValuesOf<typeof milterFields> {
  /** The listed addresses and networks of clients whose mail is outbound. */
  readonly outboundClients: readonly string[]
}

/** The listener for other mail servers that ask over HTTP. */
export interface HooksSettings extends Omit<ValuesOf<typeof hooksFields>, 'secret' | 'tls'> {
  readonly secret: string
  /** The certificate and its key (PEM). Undefined for plain HTTP. */
  readonly tls: TlsFiles | undefined
  /** The listed addresses and networks of clients whose mail is outbound. */
  readonly outboundClients: readonly string[]
}

/** The mail to one of the platform's own domains. */
export interface MailDomain
  extends Omit<ValuesOf<typeof mailDomainFields>, 'to' | 'recipients' | 'aliases' | 'dkim'> {
  /** Where the mail goes: into mailboxes, to the relay, or to a server that speaks LMTP. */
  readonly to: 'mailboxes' | 'relay' | ServerSettings
  /** The local parts that get mail, as `mailboxName` returns them, or `*` for any local part. */
  readonly recipients: '*' | ReadonlySet<string>
  /** The local parts, or the addresses in other domains, that get the mail of further local parts. */
  readonly aliases: ReadonlyMap<string, string>
  /** The key that signs mail of the domain. Undefined if its mail is not signed. */
  readonly dkim?: DkimKey | undefined
}

/** A rule with the senders and recipients that it is for. */
export interface PatternRule extends MailRule, Pick<ValuesOf<typeof mailRuleFields>, 'decide'> {
  readonly senders: readonly AddressPattern[]
  readonly recipients: readonly AddressPattern[]
}

/** Names the function that decides on a mail in one direction. `timeout` is in minutes. */
export interface MailRule
  extends Omit<
    ValuesOf<typeof mailRuleFields>,
    'function' | 'senders' | 'recipients' | 'decide' | 'onFailure'
  > {
  readonly functionName: string
  /** The queue for documents about failed executions of the function. Absent in rules that were stored without one. */
  readonly onFailure?: string | undefined
}

/** A server that gets mail from this platform. */
export interface ServerSettings extends Omit<ValuesOf<typeof relayFields>, 'ca' | 'giveUp'> {
  readonly protocol: 'SMTP' | 'LMTP'
  readonly port: number
  /** The path of its Unix socket, which stands for its host and port. */
  readonly socket?: string | undefined
  readonly tls: RelayTls
  /** The certificates that may sign the server's (PEM). Undefined if those that Node trusts may. */
  readonly ca: Buffer | undefined
}

/** The server that accepts mail for other domains. */
export interface RelaySettings extends ServerSettings, Pick<ValuesOf<typeof relayFields>, 'giveUp'> {}

/**
 * Returns the settings of mail, with all defaults.
 * @param config a valid configuration with valid files
 * @param functions the functions of the same configuration
 * @param root the folder to which paths are relative
 * @param authenticates whether clients authenticate, so that this machine needs a key, too
 */
export function mailSettings(
  config: MailConfig,
  functions: TimedFunctions,
  root: string,
  authenticates = false,
): MailSettings {
  const values = valuesOf(mailFields, config)
  const { domains, rules, relay, tls, trusted, submission, lmtp, milter, hooks, authentication } = values
  return {
    ...values,
    name: inAscii(values.name),
    domains: new Map(
      Object.entries(domains).flatMap(([domain, its]) =>
        domainForms(domain).map(form => [form, domainSettings(its, domain, root)]),
      ),
    ),
    rules: rules.map(ruleSettings),
    functions: new Map(
      Object.entries(functions).map(([name, { instances = functionFields.instances.default }]) => [
        name,
        instances,
      ]),
    ),
    relay: relay === undefined || relay === 'keep' ? relay : relaySettings(relay, root),
    tls: tls && readTlsFiles(tls, root),
    submission: submission && valuesOf(submissionFields, submission),
    lmtp: lmtp && valuesOf(lmtpFields, lmtp),
    milter: milter && milterSettings(milter, trusted, root),
    hooks: hooks && hooksSettings(hooks, trusted, root),
    authentication: authenticationSettings(authentication),
    trusted: authenticates ? trusted : [...thisMachine, ...trusted],
    maxSize: Math.floor(values.maxSize),
  }
}

function milterSettings(
  config: MilterConfig,
  outboundClients: readonly string[],
  root: string,
): MilterSettings {
  const { socket, ...values } = valuesOf(milterFields, config)
  return { ...values, socket: socket && resolve(root, socket), outboundClients }
}

function hooksSettings(config: HooksConfig, outboundClients: readonly string[], root: string): HooksSettings {
  const { secret, tls, ...values } = valuesOf(hooksFields, config)
  return { ...values, secret: readSecret(secret, root), tls: tls && readTlsFiles(tls, root), outboundClients }
}

function authenticationSettings(config: MailConfig['authentication']): MailSettings['authentication'] {
  if (config === undefined || config === null || config === false) return undefined
  const { upstream, timeout, ...values } = valuesOf(authenticationFields, config === true ? {} : config)
  return { ...values, timeout: timeout * 1000, upstream: upstream.map(each => each.toLowerCase()) }
}

function domainSettings(config: MailDomainConfig, domain: string, root: string): MailDomain {
  const { to, recipients, aliases, dkim, ...values } = valuesOf(mailDomainFields, config)
  const own = domainKey(domain)
  const target = (address: string) => {
    const parts = partsOf(address)
    return address.includes('@') && parts.domain !== own ? address : parts.local || mailboxName(address)
  }
  return {
    ...values,
    to: typeof to === 'object' ? lmtpServerSettings(to.lmtp, root) : to,
    recipients: recipients === '*' ? recipients : new Set(recipients.map(mailboxName)),
    aliases: new Map(Object.entries(aliases).map(([alias, to]) => [mailboxName(alias), target(to)])),
    dkim: dkim && dkimKey(dkim, own, root),
  }
}

function ruleSettings(config: MailRuleConfig): PatternRule {
  const { function: functionName, senders, recipients, ...values } = valuesOf(mailRuleFields, config)
  return {
    ...values,
    functionName,
    senders: senders.map(addressPattern),
    recipients: recipients.map(addressPattern),
  }
}

function inAscii(name: string): string {
  return Buffer.byteLength(name) === name.length ? name : domainToASCII(name) || name
}

function lmtpServerSettings(config: LmtpServerConfig, root: string): ServerSettings {
  const { host, port, socket } = valuesOf(lmtpServerFields, config)
  return {
    ...{ protocol: 'LMTP', host, port, tls: 'opportunistic' },
    socket: socket === undefined ? undefined : resolve(root, socket),
    ...{ ca: undefined, user: undefined, password: undefined },
  }
}

function relaySettings(config: RelayConfig, root: string): RelaySettings {
  const { ca, ...values } = valuesOf(relayFields, config)
  const { host, port, user, tls = defaultTls(host, ca, port) } = values
  const usual = tls === 'implicit' ? 465 : user === undefined ? 25 : 587
  return {
    ...{ protocol: 'SMTP', ...values, tls, port: port ?? usual },
    ca: ca === undefined ? undefined : readFileSync(resolve(root, ca)),
  }
}

/**
 * Returns the default of `tls`. On port 465, TLS begins with the first byte (RFC 8314, 7.3). A server on this machine
 * rarely has a certificate for a name of this machine.
 */
export function defaultTls(host: unknown, ca: unknown, port: unknown): RelayTls {
  if (port === 465) return 'implicit'
  return typeof host === 'string' && isOwnAddress(host) && ca === undefined ? 'opportunistic' : 'verify'
}

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { domainToASCII } from 'node:url'
import type { FallbackName } from '@signalbox/mail-flow/contract'
import type { LimitsConfig, TimedFunctions, TlsFiles } from '@signalbox/platform-runtime/config'
import { defaultHost, defaultInstances, isOwnAddress, readTlsFiles } from '@signalbox/platform-runtime/config'
import { type AddressPattern, addressPattern, partsOf } from '../address-pattern.ts'
import { domainKey } from '../domain-key.ts'
import { mailboxName } from '../mailbox-name.ts'
import { domainForms } from './domain-forms.ts'
import type { MailConfig, MailDomainConfig, MailRuleConfig, RelayConfig, RelayTls } from './mail-config.ts'
import { thisMachine } from './trusted-clients.ts'

/** The settings of mail, with all defaults. Times are in milliseconds. */
export interface MailSettings {
  readonly port: number
  readonly host: string
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
  readonly submission?: { readonly port: number; readonly host: string } | undefined
  /** Addresses and networks that may send mail to other domains. Without `access`, this machine is one of them. */
  readonly trusted: readonly string[]
  /** The size limit of a mail in bytes. */
  readonly sizeLimit: number
  readonly recipientsLimit: number
  /** The maximum number of concurrent connections from all clients. */
  readonly connectionsLimit: number
  /** The maximum number of concurrent connections from one address that is not trusted. */
  readonly connectionsPerAddress: number
  /** The maximum number of refused recipients in an hour for one address that is not trusted. */
  readonly refusedRecipientsLimit: number
  /** Whether identities may use only their own addresses in the From header. */
  readonly checkFrom?: boolean | undefined
  readonly limits?: LimitsConfig | undefined
  /** The time after its arrival during which a mail can be fetched by its id. */
  readonly retention: number
}

/** The mail to one of the platform's own domains. */
export interface MailDomain {
  readonly to: 'mailboxes' | 'relay'
  /** The local parts that get mail, as `mailboxName` returns them, or `*` for any local part. */
  readonly recipients: '*' | ReadonlySet<string>
  readonly subaddresses: boolean
  /** The local parts, or the addresses in other domains, that get the mail of further local parts. */
  readonly aliases: ReadonlyMap<string, string>
}

/** A rule with the senders and recipients that it is for. */
export interface PatternRule extends MailRule {
  readonly senders: readonly AddressPattern[]
  readonly recipients: readonly AddressPattern[]
}

/** Names the function that decides on a mail in one direction. */
export interface MailRule {
  readonly direction: 'INBOUND' | 'OUTBOUND'
  readonly functionName: string
  /** Whether delivery waits for the response. */
  readonly mode: 'sync' | 'async'
  /** The number of minutes for which a failed invocation is retried. */
  readonly timeout: number
  readonly fallback: FallbackName
}

/** The server that accepts mail for other domains. */
export interface RelaySettings {
  readonly host: string
  readonly port: number
  readonly tls: RelayTls
  /** The certificates that may sign the relay's (PEM). Undefined if those that Node trusts may. */
  readonly ca: Buffer | undefined
  readonly user: string | undefined
  readonly password: string | undefined
  /** The time for which a delivery is retried. */
  readonly giveUp: number
}

/** The default port of the SMTP listener. */
export const defaultMailPort = 2525

const [megabyte, day] = [1024 * 1024, 24 * 60 * 60 * 1000]

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
  const { domains = {}, rules = [], relay, tls, trusted = [] } = config
  return {
    port: config.port ?? defaultMailPort,
    host: config.host ?? defaultHost,
    name: inAscii(config.name ?? 'localhost'),
    domains: new Map(
      Object.entries(domains).flatMap(([domain, its]) =>
        domainForms(domain).map(form => [form, domainSettings(its, domain)]),
      ),
    ),
    rules: rules.map(ruleSettings),
    functions: new Map(
      Object.entries(functions).map(([name, { instances = defaultInstances }]) => [name, instances]),
    ),
    relay: relay === undefined || relay === 'keep' ? relay : relaySettings(relay, root),
    tls: tls && readTlsFiles(tls, root),
    submission: config.submission && { port: 2587, host: defaultHost, ...config.submission },
    trusted: authenticates ? trusted : [...thisMachine, ...trusted],
    sizeLimit: Math.floor((config.maxSize ?? 25) * megabyte),
    recipientsLimit: config.maxRecipients ?? 500,
    connectionsLimit: config.maxConnections ?? 200,
    connectionsPerAddress: config.maxConnectionsPerAddress ?? 20,
    refusedRecipientsLimit: config.maxRefusedRecipients ?? 100,
    checkFrom: config.checkFrom ?? true,
    limits: config.limits,
    retention: (config.retention ?? 7) * day,
  }
}

function domainSettings(
  { to, recipients = '*', subaddresses = true, aliases = {} }: MailDomainConfig,
  domain: string,
): MailDomain {
  const own = domainKey(domain)
  const target = (address: string) => {
    const parts = partsOf(address)
    return address.includes('@') && parts.domain !== own ? address : parts.local || mailboxName(address)
  }
  return {
    ...{ to, subaddresses },
    recipients: recipients === '*' ? recipients : new Set(recipients.map(mailboxName)),
    aliases: new Map(Object.entries(aliases).map(([alias, to]) => [mailboxName(alias), target(to)])),
  }
}

function ruleSettings({
  direction,
  function: functionName,
  senders = ['*'],
  recipients = ['*'],
  mode = 'sync',
  timeout = 0,
  fallback = 'DEFAULT',
}: MailRuleConfig): PatternRule {
  return {
    ...{ direction, functionName, mode, timeout, fallback },
    senders: senders.map(addressPattern),
    recipients: recipients.map(addressPattern),
  }
}

function inAscii(name: string): string {
  return Buffer.byteLength(name) === name.length ? name : domainToASCII(name) || name
}

function relaySettings(
  { host, port, tls, ca, user, password, giveUp = 5 }: RelayConfig,
  root: string,
): RelaySettings {
  const chosen = tls ?? defaultTls(host, ca, port)
  const usual = chosen === 'implicit' ? 465 : user === undefined ? 25 : 587
  return {
    ...{ host, port: port ?? usual, tls: chosen },
    ca: ca === undefined ? undefined : readFileSync(resolve(root, ca)),
    ...{ user, password, giveUp: giveUp * day },
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

import { domainToASCII } from 'node:url'
import type { FallbackName } from '@signalbox/mail-flow/contract'
import type { LimitsConfig, TimedFunctions, TlsFiles } from '@signalbox/platform-runtime/config'
import { defaultHost, defaultInstances, readTlsFiles } from '@signalbox/platform-runtime/config'
import { thisMachine } from '../api/connections/trusted-clients.ts'
import { mailboxName } from '../mailbox-name.ts'
import { domainForms } from './domain-forms.ts'
import type { MailConfig, RelayConfig } from './mail-config.ts'

/** The settings of mail, with all defaults. Times are in milliseconds. */
export interface MailSettings {
  readonly port: number
  readonly host: string
  /** The name of the server in its greeting, in trace lines and in reports. ASCII, as other servers require. */
  readonly name: string
  /**
   * The local parts that have a mailbox, or `*` for any local part, by domain in lower case. Non-ASCII domains have two
   * entries.
   */
  readonly mailboxes: ReadonlyMap<string, '*' | ReadonlySet<string>>
  /** The rules, at most one for each direction. */
  readonly rules: readonly MailRule[]
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

/** Names the function that decides on the mail in one direction. */
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
  /** Whether TLS begins with the first byte. */
  readonly secure: boolean
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
  const { mailboxes = {}, rules = [], relay, tls, trusted = [] } = config
  return {
    port: config.port ?? defaultMailPort,
    host: config.host ?? defaultHost,
    name: inAscii(config.name ?? 'localhost'),
    mailboxes: new Map(
      Object.entries(mailboxes).flatMap(([domain, locals]) =>
        domainForms(domain).map(form => [form, locals === '*' ? locals : new Set(locals.map(mailboxName))]),
      ),
    ),
    rules: rules.map(
      ({ direction, function: functionName, mode = 'sync', timeout = 0, fallback = 'DEFAULT' }) => ({
        direction,
        functionName,
        mode,
        timeout,
        fallback,
      }),
    ),
    functions: new Map(
      Object.entries(functions).map(([name, { instances = defaultInstances }]) => [name, instances]),
    ),
    relay: relay === undefined || relay === 'keep' ? relay : relaySettings(relay),
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

function inAscii(name: string): string {
  return Buffer.byteLength(name) === name.length ? name : domainToASCII(name) || name
}

function relaySettings({
  host,
  port,
  secure = false,
  user,
  password,
  giveUp = 5,
}: RelayConfig): RelaySettings {
  const usual = user === undefined ? 25 : 587
  return { host, port: port ?? (secure ? 465 : usual), secure, user, password, giveUp: giveUp * day }
}

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { domainToASCII } from 'node:url'
import type { FallbackName } from '@signalbox/mail-flow/contract'
import type { TimedFunctions } from '@signalbox/platform-runtime/config'
import { defaultHost, defaultInstances } from '@signalbox/platform-runtime/config'
import { thisMachine } from '../api/trusted-clients.ts'
import { mailboxName } from '../mailbox-name.ts'
import { domainForms } from './domain-forms.ts'
import type { MailConfig, RelayConfig } from './mail-config.ts'

/** Mail flow with nothing left open. Times in milliseconds. */
export interface MailSettings {
  readonly port: number
  readonly host: string
  /** What the server calls itself: in its greeting, in `Received` lines and in reports. ASCII, since others refuse the rest. */
  readonly name: string
  /** By domain, in lower case and in both of its forms if it is not ASCII: the local parts that have a mailbox there, or `*` for any. */
  readonly mailboxes: ReadonlyMap<string, '*' | ReadonlySet<string>>
  /** One for each direction at most. */
  readonly rules: readonly MailRule[]
  /** Every function of the box, with how many mails it may work on at a time. */
  readonly functions: ReadonlyMap<string, number>
  /** Where mail for elsewhere goes; `keep` leaves it in Maildirs of the box. Undefined when none is taken. */
  readonly relay: 'keep' | RelaySettings | undefined
  /** PEM. */
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined
  /** Addresses and networks whose mail for elsewhere is taken. This machine is among them. */
  readonly trusted: readonly string[]
  /** Bytes. */
  readonly sizeLimit: number
  readonly recipientsLimit: number
  /** Connections at a time, and those of one address that is not trusted. */
  readonly connectionsLimit: number
  readonly connectionsPerAddress: number
  /** Refused recipients in an hour, from one address that is not trusted. */
  readonly refusedRecipientsLimit: number
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

/** The port of the SMTP listener when nothing is said. */
export const defaultMailPort = 2525

const [megabyte, day] = [1024 * 1024, 24 * 60 * 60 * 1000]

/**
 * @param config has been found to be right, its files included
 * @param functions those of the same configuration
 * @param root the folder that relative paths start at
 */
export function mailSettings(config: MailConfig, functions: TimedFunctions, root: string): MailSettings {
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
    tls: tls && { cert: readFileSync(resolve(root, tls.cert)), key: readFileSync(resolve(root, tls.key)) },
    trusted: [...thisMachine, ...trusted],
    sizeLimit: Math.floor((config.maxSize ?? 25) * megabyte),
    recipientsLimit: config.maxRecipients ?? 500,
    connectionsLimit: config.maxConnections ?? 200,
    connectionsPerAddress: config.maxConnectionsPerAddress ?? 20,
    refusedRecipientsLimit: config.maxRefusedRecipients ?? 100,
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

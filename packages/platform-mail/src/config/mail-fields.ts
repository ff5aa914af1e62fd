import { isIP } from 'node:net'
import {
  type Fields,
  integerFrom,
  listenerLimits,
  matching,
  nonEmptyText,
  numberFrom,
  object,
  optional,
  port,
  required,
} from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import type {
  MailConfig,
  MailDomainConfig,
  MailRuleConfig,
  RelayConfig,
  SubmissionConfig,
} from './mail-config.ts'

const label = String.raw`(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)`
const domainShape = new RegExp(String.raw`^(?=.{1,253}$)${label}(?:\.${label})*$`, 'u')

/** Returns whether a string is a domain name, in any script. */
export const isDomain = (text: string): boolean => domainShape.test(text)

const localShape = /^(?!\.)(?!.*\.\.)[^\s\p{Cc}"<>()[\],;:\\@]{1,64}(?<!\.)$/u

/** Returns whether a string is a pattern of addresses, as `addressPattern` reads it. */
export function isPattern(text: unknown): boolean {
  if (typeof text !== 'string') return false
  if (text === '*' || text === '<>') return true
  const at = text.lastIndexOf('@')
  const local = at < 0 ? '*' : text.slice(0, at)
  const domain = text.slice(at + 1)
  const isDomainPattern = domain === '*' ? at >= 0 : isDomain(domain.replace(/^\*\./, ''))
  return isDomainPattern && isLocalPart(local)
}

/** Returns whether a string is an unquoted local part of an address. */
export const isLocalPart = (text: unknown): boolean =>
  typeof text === 'string' && localShape.test(text) && Buffer.byteLength(text) <= 64

function isNetwork(value: unknown): boolean {
  if (typeof value !== 'string') return false
  const [address = '', prefix, ...more] = value.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)
}

const domain = matching<string>('a domain name', value => typeof value === 'string' && isDomain(value))

export const mailFields: Fields<MailConfig> = {
  port: optional(port),
  host: optional(nonEmptyText),
  open: optional(t.boolean),
  name: optional(domain),
  domains: optional(object),
  rules: optional(matching<readonly unknown[]>('a list of rules', Array.isArray)),
  relay: optional(
    matching<MailConfig['relay']>('keep, or an object', value => value === 'keep' || object.is(value)),
  ),
  tls: optional(object),
  submission: optional(object),
  trusted: optional(
    t.readonlyArray(
      matching<string>('an address or a network such as 10.0.0.0/8', isNetwork),
      'a list of addresses',
    ),
  ),
  // All mails in transfer together can use 512 MB of memory, so a single mail cannot be larger.
  maxSize: optional(numberFrom(0.001, 512, 'MB')),
  maxRecipients: optional(integerFrom(1, 10_000)),
  maxConnections: optional(integerFrom(1, 10_000)),
  maxConnectionsPerAddress: optional(integerFrom(1, 10_000)),
  maxRefusedRecipients: optional(integerFrom(1, 1_000_000)),
  checkFrom: optional(t.boolean),
  limits: optional(listenerLimits),
  retention: optional(numberFrom(0, 3650, 'days')),
}

export const submissionFields: Fields<SubmissionConfig> = {
  port: optional(port),
  host: optional(nonEmptyText),
}

export const mailDomainFields: Fields<MailDomainConfig> = {
  to: required(t.keyof({ mailboxes: null, relay: null })),
  recipients: optional(
    matching<'*' | readonly string[]>(
      '* or a list of local parts',
      value => value === '*' || Array.isArray(value),
    ),
  ),
  subaddresses: optional(t.boolean),
  aliases: optional(object),
}

const patterns = matching<readonly string[]>(
  'a list of patterns such as office.example, *.office.example or ann@office.example',
  value => Array.isArray(value) && value.length > 0,
)

export const mailRuleFields: Fields<MailRuleConfig> = {
  direction: required(t.keyof({ INBOUND: null, OUTBOUND: null })),
  function: required(t.string),
  senders: optional(patterns),
  recipients: optional(patterns),
  mode: optional(t.keyof({ sync: null, async: null })),
  timeout: optional(numberFrom(0, 240, 'minutes')),
  fallback: optional(
    t.keyof({ DEFAULT: null, DROP: null, BOUNCE: null, BYPASS_SPAM_CHECK: null, MOVE_TO_JUNK: null }),
  ),
}

export const relayFields: Fields<RelayConfig> = {
  host: required(nonEmptyText),
  port: optional(integerFrom(1, 65_535)),
  tls: optional(t.keyof({ implicit: null, verify: null, opportunistic: null, never: null })),
  ca: optional(nonEmptyText),
  user: optional(nonEmptyText),
  password: optional(nonEmptyText),
  giveUp: optional(numberFrom(0, 30, 'days')),
}

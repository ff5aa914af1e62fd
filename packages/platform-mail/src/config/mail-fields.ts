import { isIP } from 'node:net'
import {
  type Fields,
  integerFrom,
  is,
  may,
  need,
  numberFrom,
  object,
  port,
  someText,
} from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import type { MailConfig, MailRuleConfig, RelayConfig, TlsConfig } from './mail-config.ts'

const label = String.raw`(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)`
const domainShape = new RegExp(String.raw`^(?=.{1,253}$)${label}(?:\.${label})*$`, 'u')

/** Whether a text is the name of a domain, in any script. */
export const isDomain = (text: string): boolean => domainShape.test(text)

const localShape = /^(?!\.)(?!.*\.\.)[^\s\p{Cc}"<>()[\],;:\\@]{1,64}(?<!\.)$/u

/** Whether a text is what may stand before the at sign of an address, without quotes. */
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

const domain = is<string>('the name of a domain', value => typeof value === 'string' && isDomain(value))

export const mailFields: Fields<MailConfig> = {
  port: may(port),
  host: may(someText),
  name: may(domain),
  mailboxes: may(object),
  rules: may(is<readonly unknown[]>('a list of rules', Array.isArray)),
  relay: may(is<MailConfig['relay']>('keep, or an object', value => value === 'keep' || object.is(value))),
  tls: may(object),
  trusted: may(
    t.readonlyArray(
      is<string>('an address or a network such as 10.0.0.0/8', isNetwork),
      'a list of addresses',
    ),
  ),
  // No more than all mails on their way in may take up in memory.
  maxSize: may(numberFrom(0.001, 512, 'MB')),
  maxRecipients: may(integerFrom(1, 10_000)),
  maxConnections: may(integerFrom(1, 10_000)),
  maxConnectionsPerAddress: may(integerFrom(1, 10_000)),
  maxRefusedRecipients: may(integerFrom(1, 1_000_000)),
  retention: may(numberFrom(0, 3650, 'days')),
}

export const mailRuleFields: Fields<MailRuleConfig> = {
  direction: need(t.keyof({ INBOUND: null, OUTBOUND: null })),
  function: need(t.string),
  mode: may(t.keyof({ sync: null, async: null })),
  timeout: may(numberFrom(0, 240, 'minutes')),
  fallback: may(t.keyof({ DEFAULT: null, DROP: null, BOUNCE: null })),
}

export const relayFields: Fields<RelayConfig> = {
  host: need(someText),
  port: may(integerFrom(1, 65_535)),
  secure: may(t.boolean),
  user: may(someText),
  password: may(someText),
  giveUp: may(numberFrom(0, 30, 'days')),
}

export const tlsFields: Fields<TlsConfig> = { cert: need(someText), key: need(someText) }

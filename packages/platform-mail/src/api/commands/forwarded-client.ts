import { isIP } from 'node:net'
import type { Reply } from '../reply.ts'

/**
 * What a trusted client says about the client for which it speaks. A missing field was not said, and null means that the
 * trusted client does not know it.
 */
export interface ForwardedClient {
  /** The host name. */
  readonly name?: string | null
  /** The address, IPv4 or IPv6. */
  readonly address?: string | null
  readonly helo?: string | null
  /** The user as whom the client has authenticated. */
  readonly user?: string | null
}

interface Attribute {
  /** The field of the result. Attributes without a field are checked and not used. */
  readonly field?: keyof ForwardedClient
  /** Returns the value, or undefined if it is malformed. */
  readonly read: (value: string) => string | undefined
}

const text = (value: string) => (value.length <= 255 ? value : undefined)
const matching = (pattern: RegExp) => (value: string) => (pattern.test(value) ? value : undefined)

const shared: { readonly [name: string]: Attribute } = {
  NAME: { field: 'name', read: matching(/^[\w.-]{1,255}$/) },
  ADDR: { field: 'address', read: addressIn },
  PORT: { read: matching(/^\d{1,5}$/) },
  PROTO: { read: matching(/^E?SMTP$/i) },
  HELO: { field: 'helo', read: text },
}

/** The attributes of each command, which the server announces. */
const attributes = {
  XCLIENT: { ...shared, LOGIN: { field: 'user', read: text } },
  XFORWARD: { ...shared, SOURCE: { read: matching(/^(?:LOCAL|REMOTE)$/i) } },
} as const satisfies { readonly [command: string]: { readonly [name: string]: Attribute } }

export type ForwardingCommand = keyof typeof attributes

/** The lines about these commands in the reply to EHLO. */
export const forwardingLines: readonly string[] = Object.entries(attributes).map(([command, its]) =>
  [command, ...Object.keys(its)].join(' '),
)

/**
 * Reads XCLIENT or XFORWARD of Postfix: https://www.postfix.org/XCLIENT_README.html and XFORWARD_README.html. Values are
 * encoded as xtext (RFC 3461, 4). Returns the reply to a malformed command.
 */
export function readForwarded(line: Buffer, command: ForwardingCommand): ForwardedClient | Reply {
  const known: { readonly [name: string]: Attribute | undefined } = attributes[command]
  const parts = line.toString('latin1').trim().split(/ +/).slice(1)
  if (parts.length === 0) return { code: 501, text: `5.5.4 Syntax: ${command} attribute=value` }
  const client: { -readonly [Field in keyof ForwardedClient]: string | null } = {}
  for (const part of parts) {
    const [, name = '', encoded = ''] = /^([a-z]+)=(.+)$/i.exec(part) ?? []
    const attribute = Object.hasOwn(attributes[command], name.toUpperCase())
      ? known[name.toUpperCase()]
      : undefined
    if (attribute === undefined) return { code: 501, text: `5.5.4 Unknown attribute of ${command}` }
    const decoded = decodeXtext(encoded)
    const isUnavailable = decoded !== undefined && unavailable.test(decoded)
    const value = isUnavailable ? null : decoded && attribute.read(decoded)
    if (value === undefined) return { code: 501, text: `5.5.4 Malformed value of ${name.toUpperCase()}` }
    if (attribute.field !== undefined) client[attribute.field] = value
  }
  return client
}

const unavailable = /^\[(?:UNAVAILABLE|TEMPUNAVAIL)\]$/i

/** Decodes xtext. Returns undefined for malformed text, and for text that is not UTF-8 or has control characters. */
function decodeXtext(encoded: string): string | undefined {
  if (!/^(?:[!-*,-<>-~]|\+[0-9a-f]{2})+$/i.test(encoded)) return undefined
  const bytes = encoded.replace(/\+(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  const decoded = Buffer.from(bytes, 'latin1').toString()
  return /[\p{Cc}\ufffd]/u.test(decoded) ? undefined : decoded
}

function addressIn(value: string): string | undefined {
  const address = value.replace(/^IPv6:/i, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(address) === 0 ? undefined : address
}

import { isIP } from 'node:net'
import type { MailClient } from '@signalbox/mail-flow/contract'
import { knownClient } from '../api/known-client.ts'
import type { MailFacts } from '../store/mail-facts.ts'

/** What another mail server says about its client. */
export type StatedClient = { readonly [Field in keyof MailClient]: string | undefined }

/**
 * Returns the facts about the client of another mail server, in the form that they have for the platform's own clients.
 * Returns undefined if the server says nothing.
 */
export function clientFacts({
  address = '',
  name = '',
  helo,
  tls = '',
  user,
}: StatedClient): MailFacts | undefined {
  const known = knownClient({
    user,
    helo: helo?.toLowerCase(),
    address: isIP(address) === 0 ? undefined : address,
    name: noName.test(name) ? undefined : name,
    tls: tlsVersion(tls),
  })
  return Object.keys(known).length === 0 ? undefined : { client: known }
}

/** What servers say instead of a name that they could not look up: Postfix `unknown` or `[192.0.2.1]`, OpenSMTPD `<unknown>`. */
const noName = /^(?:<?unknown>?|\[.*\])?$/i

/** Returns the version of TLS as Node writes it, from `TLSv1.3`, `TLSv1_3` or `1.3`. */
function tlsVersion(text: string): string | undefined {
  const [, major, minor] = /^(?:TLS ?v?)?(\d)(?:[._](\d))?$/i.exec(text) ?? []
  if (major === undefined) return text
  return minor === undefined ? `TLSv${major}` : `TLSv${major}.${minor}`
}

import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import Dkim from 'nodemailer/lib/dkim'
import { partsOf } from '../address-pattern.ts'
import type { DkimKey } from '../config/dkim-key.ts'
import type { MailSettings } from '../config/mail-settings.ts'
import { originatorAddresses } from '../message/originator-addresses.ts'

/** Signs a mail in the form in which a server gets it. */
export type SignMail = (raw: Buffer) => Promise<Buffer>

/** The number of bytes that are hashed at a time, between which the process serves clients. */
const pieceSize = 64 * 1024

/**
 * Returns a function that adds a DKIM signature (RFC 6376) to mail whose author is in a domain with a key. Other mail
 * stays unchanged, also mail whose `From` mail programs could read in different ways. Returns undefined if no domain has a
 * key. See docs/decisions/mail.md#signatures.
 */
export function mailSigner({ domains }: Pick<MailSettings, 'domains'>): SignMail | undefined {
  if (![...domains.values()].some(({ dkim }) => dkim !== undefined)) return undefined
  return async raw => {
    const key = domains.get(authorDomain(raw) ?? '')?.dkim
    return key === undefined ? raw : signed(raw, key)
  }
}

/** Returns the domain of the authors of a mail, or undefined if they have several. */
function authorDomain(raw: Buffer): string | undefined {
  const originators = originatorAddresses(raw)
  if ('unclear' in originators) return undefined
  const authors = originators.filter(({ header }) => header === 'From')
  const [domain, ...others] = new Set(authors.map(({ address }) => partsOf(address).domain))
  return others.length === 0 ? domain : undefined
}

async function signed(raw: Buffer, { domain, selector, privateKey }: DkimKey): Promise<Buffer> {
  const dkim = new Dkim({ domainName: domain, keySelector: selector, privateKey })
  const result = await buffer(dkim.sign(Readable.from(piecesOf(raw))))
  // The package passes a mail on without a signature when it cannot make one.
  if (!result.subarray(0, 15).equals(Buffer.from('DKIM-Signature:')) || result.length <= raw.length)
    throw new Error(`the mail cannot be signed with the key of ${domain}`)
  return result
}

async function* piecesOf(raw: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < raw.length; at += pieceSize) {
    if (at > 0) await setImmediate()
    yield raw.subarray(at, at + pieceSize)
  }
}

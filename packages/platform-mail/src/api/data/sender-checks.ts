import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '@signalbox/core'
import { type AuthenticationResult, resultWords } from '@signalbox/mail-flow/contract'
import { signaturesLimit } from '../../message/authentication-results.ts'
import { headerBlock } from '../../message/header-lines.ts'
import { blockWithout } from '../../message/without-headers.ts'
import type { CheckSender } from '../check-sender.ts'

/** Looks up records, as `resolve` of `node:dns/promises` does. */
export type Lookup = (domain: string, type: string) => Promise<string[] | string[][]>

/** The package that checks, of which only these functions are used. */
type Mailauth = Pick<typeof import('mailauth'), 'spf' | 'dkimVerify' | 'dmarc'>

interface SenderChecksOptions {
  /** The name of this server. */
  readonly name: string
  /** The maximum number of milliseconds for the checks of a mail. */
  readonly timeout: number
  readonly clock: Pick<Clock, 'after'>
  /** Default: the resolver of this machine. */
  readonly lookup?: Lookup
  readonly load?: () => Promise<Mailauth>
}

/** A larger head is not checked for signatures. Common heads have 10 KB. */
const headLimit = 256 * 1024
/** The maximum number of DNS lookups for a mail. SPF alone can need a hundred (RFC 7208, 4.6.4). */
const lookupsLimit = 200
/** The number of bytes that are hashed at a time, between which the process serves other clients. */
const pieceSize = 64 * 1024

/**
 * Returns the checks, after loading the package `mailauth`. What is not known in time has the result temperror.
 * @throws Error when the package is not installed
 */
export async function senderChecks({
  name,
  timeout,
  clock,
  lookup,
  load = () => import('mailauth'),
}: SenderChecksOptions): Promise<CheckSender> {
  let mailauth: Mailauth
  try {
    mailauth = await load()
  } catch (cause) {
    throw new Error(
      'mail.authentication needs the package mailauth, which is not installed. Run npm install mailauth, or use mail.authentication: { check: false }.',
      { cause },
    )
  }
  const { spf, dkimVerify, dmarc } = mailauth

  return async ({ from, address, helo, raw }) => {
    const lookups = boundedLookups(lookup)
    let expire = () => {}
    const expired = new Promise<undefined>(resolve => (expire = () => resolve(undefined)))
    const cancel = clock.after(timeout, () => {
      lookups.end()
      expire()
    })
    const inTime = <T>(work: Promise<T>): Promise<T | undefined> =>
      Promise.race([work.catch(() => undefined), expired])
    const { resolver } = lookups
    try {
      const [bySpf, byDkim] = await Promise.all([
        isIP(address) === 0
          ? unknownClient
          : inTime(spf({ sender: from, ip: address, helo, mta: name, resolver })),
        inTime(signaturesOf(raw, lookups.isOver, input => dkimVerify(input, { sender: from, resolver }))),
      ])
      const senderDomain = from === '' ? helo : from.slice(from.lastIndexOf('@') + 1)
      const spfResult = resultOf(bySpf?.status.result, senderDomain)
      if (byDkim === undefined)
        return { spf: spfResult, dkim: [resultOf(undefined)], dmarc: resultOf(undefined) }
      if (byDkim === 'too large')
        return { spf: spfResult, dkim: [resultOf('permerror')], dmarc: resultOf('permerror') }
      const passed = byDkim.results.filter(({ status }) => status.result === 'pass')
      const byDmarc = await inTime(
        dmarc({
          headerFrom: byDkim.headerFrom,
          fromFields: byDkim.fromFields,
          spfDomains: spfResult.result === 'pass' ? [senderDomain] : [],
          dkimDomains: passed.map(({ id, signingDomain }) => ({
            domain: String(signingDomain),
            ...(typeof id === 'string' && { id }),
          })),
          resolver,
        }),
      )
      const dkim = byDkim.results.slice(0, signaturesLimit).map(({ status, signingDomain, ...hashes }) => {
        // RFC 6376 (6.1.3) has a failure for a changed body, where the package has a neutral result.
        const isChanged = status.result === 'neutral' && hashes.bodyHash !== hashes.bodyHashExpecting
        return resultOf(isChanged ? 'fail' : status.result, String(signingDomain || ''))
      })
      return {
        spf: spfResult,
        dkim: dkim.length === 0 ? [resultOf('none')] : dkim,
        dmarc:
          byDmarc === false
            ? // A mail without an author, or with authors of several domains.
              resultOf('permerror')
            : {
                ...resultOf(byDmarc?.status.result, authorDomain(byDkim.headerFrom)),
                ...(/^(?:none|quarantine|reject)$/.test(byDmarc?.policy ?? '') && {
                  policy: byDmarc!.policy,
                }),
              },
      }
    } finally {
      cancel()
      lookups.end()
    }
  }
}

/** The result of SPF for a client whose address a proxy does not know. */
const unknownClient = { status: { result: 'none' } } as const

/** Returns a result. A result that is not known in time, or fails unexpectedly, is a temporary error. */
function resultOf(word: string | undefined, domain = ''): AuthenticationResult {
  const result = word === undefined ? 'temperror' : (resultWords.find(each => each === word) ?? 'permerror')
  return { result, ...(domain !== '' && { domain: domain.toLowerCase().slice(0, 255) }) }
}

function authorDomain([first = '']: readonly string[]): string {
  return first.slice(first.lastIndexOf('@') + 1)
}

/** Reads a mail in pieces, without ARC, and without the signatures above the limit, each of which could cost time. */
async function signaturesOf<T>(
  raw: Buffer,
  isOver: () => boolean,
  verify: (input: Readable) => Promise<T>,
): Promise<T | 'too large'> {
  const block = headerBlock(raw)
  if (block.length > headLimit) return 'too large'
  let signatures = 0
  const head = blockWithout(
    block,
    [],
    name => name.startsWith('arc-') || (name === 'dkim-signature' && ++signatures > signaturesLimit),
  )
  async function* pieces() {
    yield head
    for (let at = block.length; at < raw.length && !isOver(); at += pieceSize) {
      await setImmediate()
      yield raw.subarray(at, at + pieceSize)
    }
  }
  return verify(Readable.from(pieces()))
}

/** Returns a resolver that stops after a number of lookups, and when the time for the checks is over. */
function boundedLookups(lookup: Lookup | undefined) {
  let count = 0
  let isOver = false
  const dns = lookup === undefined ? new Resolver({ timeout: 2000, tries: 2 }) : undefined
  const resolve =
    lookup ?? (async (domain, type) => (await dns!.resolve(domain, type)) as string[] | string[][])
  return {
    isOver: () => isOver,
    async resolver(domain: string, type: string) {
      if (isOver || ++count > lookupsLimit)
        throw Object.assign(new Error('too many lookups, or too late'), { code: 'ETIMEOUT' })
      return resolve(domain, type)
    },
    end() {
      isOver = true
      dns?.cancel()
    },
  }
}

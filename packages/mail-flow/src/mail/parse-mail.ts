import { InvalidOptionError, refuseUnknownOptions, SignalboxError } from '@signalbox/core'
import { encodeWordBytes } from '../contract/encoded-word-bytes.ts'
import { describeValue } from '../describe-value.ts'
import { MailNotParsedError } from '../errors.ts'

/** A raw mail, as servers transfer it. */
export type RawMail = string | Uint8Array

/** A mailbox, or a named group of mailboxes. */
export interface ParsedAddress {
  readonly name: string
  readonly address?: string | undefined
  readonly group?: readonly { readonly name: string; readonly address: string }[] | undefined
}

/** An attachment: a file, or a nested message. */
export interface ParsedAttachment {
  /** The name that the sender gave the file. Null if there is none. */
  readonly filename: string | null
  /** The media type in lower case, such as `application/pdf`. */
  readonly mimeType: string
  /** The content without its transfer encoding: bytes, or a string if the parser decodes text. */
  readonly content: ArrayBuffer | Uint8Array | string
}

/** A parsed mail, with the fields that all parsers have in common. */
export interface ParsedMail {
  /** All headers in order, with their names in lower case. */
  readonly headers: readonly { readonly key: string; readonly value: string }[]
  readonly from?: ParsedAddress | undefined
  readonly to?: readonly ParsedAddress[] | undefined
  readonly cc?: readonly ParsedAddress[] | undefined
  readonly replyTo?: readonly ParsedAddress[] | undefined
  readonly subject?: string | undefined
  readonly date?: string | undefined
  readonly text?: string | undefined
  readonly html?: string | undefined
  readonly attachments: readonly ParsedAttachment[]
}

/** Parses a raw mail. The limits of `parseMail` do not apply to another parser. */
export type ParseMessage = (raw: RawMail) => ParsedMail | Promise<ParsedMail>

/** The limits of a mail. A mail that exceeds a limit is not parsed. */
export interface ParseLimits {
  /** The maximum number of bytes. Default: 33554432 (32 MiB). */
  readonly maxSize?: number
  /**
   * The maximum number of lines. Lines of nested messages count again, because the parser reads them again. Default:
   * 350000, which is enough for 25 MB of Base64.
   */
  readonly maxLines?: number
  /**
   * The maximum number of parts and messages, counted as lines that begin with `--` or contain `message/rfc822`.
   * Default: 5000.
   */
  readonly maxParts?: number
  /** The maximum depth of nested multiparts and of nested messages. Default: 50. */
  readonly maxDepth?: number
}

const defaults: Required<ParseLimits> = {
  maxSize: 32 * 1024 * 1024,
  maxLines: 350_000,
  maxParts: 5000,
  maxDepth: 50,
}

/** The nesting limits for `postal-mime`. */
interface ParserOptions {
  readonly maxNestingDepth: number
  /** Messages that are nested deeper than this become attachments. */
  readonly maxRfc822NestingDepth: number
}

/** The exports of the package `postal-mime`. */
export interface PostalMimeParser {
  readonly parse: (raw: RawMail, options: ParserOptions) => Promise<ParsedMail>
}

/** Options of `parseMail`: the limits of a mail, and the parser. */
export interface ParseMailOptions extends ParseLimits {
  /** The default export of `postal-mime`. Without it, the package is loaded for the first mail. */
  readonly parser?: PostalMimeParser
}

/**
 * Parses a mail with the package `postal-mime`. Nested messages count towards the limits, in any encoding. See
 * docs/decisions/mail.md#limits-of-parsed-mail.
 *
 * @throws MailNotParsedError for a mail that exceeds a limit or that the parser cannot parse, and InvalidOptionError
 * for an invalid limit or when the package is not installed
 * @example
 * const { attachments } = await parseMail(raw, { maxParts: 100 })
 */
export async function parseMail(raw: RawMail, options: ParseMailOptions = {}): Promise<ParsedMail> {
  const { parser, ...limits } = options
  const most = checkedLimits(limits)
  try {
    return await parseWithin(withWordBytes(raw), most, parser ?? (await postalMime()))
  } catch (error) {
    if (error instanceof SignalboxError) throw error
    throw new MailNotParsedError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/**
 * Loads `postal-mime`. Bundlers see this import and include the package, if it is installed. In a `try` block, a
 * missing package is no error of a bundler.
 * @throws InvalidOptionError when the package is not installed
 */
async function postalMime(): Promise<PostalMimeParser> {
  try {
    const { default: parser } = await import(/* webpackMode: "eager" */ 'postal-mime')
    return parser
  } catch (cause) {
    throw new InvalidOptionError(
      'Parsing a mail needs the package postal-mime: install it and bundle again, or give mailFlow() the option parseMessage.',
      { cause },
    )
  }
}

function checkedLimits(limits: ParseLimits): Required<ParseLimits> {
  refuseUnknownOptions('parseMail()', limits, Object.keys(defaults) as (keyof ParseLimits)[])
  const all = { ...defaults, ...limits }
  for (const [name, value] of Object.entries(all))
    if (!Number.isSafeInteger(value) || value < 1)
      throw new InvalidOptionError(
        `parseMail(): ${name} is ${describeValue(value)}, expected a whole number above 0`,
      )
  return all
}

async function parseWithin(
  raw: RawMail,
  most: Required<ParseLimits>,
  parser: PostalMimeParser,
): Promise<ParsedMail> {
  let [lines, parts] = [0, 0]
  const options = { maxNestingDepth: most.maxDepth, maxRfc822NestingDepth: 0 }
  let hasMessages = false

  // The parser would open all nested messages at once. Here it opens them one level at a time, so that each level is
  // checked.
  const look = async (message: RawMail, depth: number): Promise<ParsedMail> => {
    const bytes = typeof message === 'string' ? Buffer.from(message) : asBuffer(message)
    if (bytes.length > most.maxSize) throw new MailNotParsedError(`it has more than ${most.maxSize} bytes`)
    if (depth > most.maxDepth)
      throw new MailNotParsedError(`it has more than ${most.maxDepth} levels of nested messages`)
    const found = linesOf(bytes)
    lines += found.lines
    parts += found.parts
    if (parts > most.maxParts) throw new MailNotParsedError(`it has more than ${most.maxParts} parts`)
    if (lines > most.maxLines) throw new MailNotParsedError(`it has more than ${most.maxLines} lines`)
    const mail = await parser.parse(bytes, options)
    for (const { mimeType, content } of mail.attachments)
      if (isMessage(mimeType)) {
        hasMessages = true
        await look(typeof content === 'string' ? content : new Uint8Array(content), depth + 1)
      }
    return mail
  }

  const mail = await look(raw, 0)
  return hasMessages ? parser.parse(raw, { ...options, maxRfc822NestingDepth: most.maxDepth }) : mail
}

/** Encodes raw bytes within the encoded words of the head, because the parser reads heads as UTF-8. */
function withWordBytes(raw: RawMail): RawMail {
  if (typeof raw === 'string') return raw
  const bytes = asBuffer(raw)
  const end = headEnd.exec(bytes.toString('latin1', 0, headLimit))?.index ?? headLimit
  const head = bytes.subarray(0, end)
  const encoded = encodeWordBytes(head)
  return encoded === head ? raw : Buffer.concat([encoded, bytes.subarray(end)])
}

const headEnd = /\r?\n\r?\n/

/** The maximum number of bytes of a head in which encoded words are looked for. */
const headLimit = 64 * 1024

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function isMessage(mimeType: string): boolean {
  return mimeType === 'message/rfc822' || mimeType === 'message/global'
}

/** Counts all lines, and the lines that may begin a part or a nested message. */
function linesOf(bytes: Buffer): { readonly lines: number; readonly parts: number } {
  let lines = 1
  for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1)) lines++
  let parts = 0
  for (const _ of bytes.toString('latin1').matchAll(/^--|message\/rfc822/gim)) parts++
  return { lines, parts }
}

import { InvalidOptionError } from '@signalbox/core'

/** The raw mail, as it went over the wire. */
export type RawMail = string | Uint8Array

/** A mailbox, or a named group of them. */
export interface ParsedAddress {
  readonly name: string
  readonly address?: string | undefined
  readonly group?: readonly { readonly name: string; readonly address: string }[] | undefined
}

export interface ParsedAttachment {
  readonly filename: string | null
  /** In lower case, such as `application/pdf`. */
  readonly mimeType: string
  readonly content: ArrayBuffer | Uint8Array | string
}

/** A mail taken apart, as far as any parser agrees; `postal-mime` gives more. */
export interface ParsedMail {
  /** Every header in its order, the names in lower case. */
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

export type ParseMessage = (raw: RawMail) => ParsedMail | Promise<ParsedMail>

// Not a literal in the import, so that bundlers neither take it in for those who never parse nor miss it.
const parser: string = 'postal-mime'

/**
 * Parses a raw mail with the package `postal-mime`, which is loaded when the first mail is parsed.
 * @throws InvalidOptionError when it is not installed
 */
export const parseMail: ParseMessage = async raw => {
  const { default: PostalMime } = (await import(parser).catch(cause => {
    throw new InvalidOptionError(
      `Parsing a mail needs the package ${parser}: install it, or give mailFlow() the option parseMessage.`,
      { cause },
    )
  })) as { default: { parse: ParseMessage } }
  return PostalMime.parse(raw)
}

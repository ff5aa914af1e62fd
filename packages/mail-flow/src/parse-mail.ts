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

/**
 * Parses raw mail with a package such as `postal-mime`, which is loaded when the first mail is parsed. Bundlers do
 * not see it, so they neither take it in for those who never parse nor miss it.
 *
 * What it answers throws InvalidOptionError when the package is not installed.
 */
export function parserOf(name: string): ParseMessage {
  return async raw => {
    const { default: PostalMime } = (await import(name).catch(cause => {
      throw new InvalidOptionError(
        `Parsing a mail needs the package ${name}: install it, or give mailFlow() the option parseMessage.`,
        { cause },
      )
    })) as { default: { parse: ParseMessage } }
    return PostalMime.parse(raw)
  }
}

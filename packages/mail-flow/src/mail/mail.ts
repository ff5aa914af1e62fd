import { InvalidOptionError, type Invocation } from '@signalbox/core'
import type { MailEvent } from '../contract/index.ts'
import { type ParsedMail, type ParseMessage, parseMail, type RawMail } from './parse-mail.ts'

/** The mail to decide about: the event, with shortcuts to its most important parts. */
export interface Mail extends MailEvent {
  /** The address in `envelope.mailFrom`. It is empty for delivery reports, which have no sender. */
  readonly from: string
  /** The addresses in `envelope.recipients`, in order. */
  readonly recipients: readonly string[]
  readonly inbound: boolean
  readonly outbound: boolean
  /** The `invocationId`. It stays the same in a retry: docs/contract/mail-flow.md#event.invocationId. */
  readonly correlationId: string
  /**
   * Returns the whole mail. The first call fetches it with the option `fetchMessage`.
   * @throws InvalidOptionError when that option is missing or returns nothing, and the errors of `fetchMessage`
   */
  raw(): Promise<RawMail>
  /**
   * Returns the parsed mail. The first call fetches the mail and parses it with the option `parseMessage`, or
   * with `parseMail`, which needs the package `postal-mime`.
   * @throws errors of `raw` and of the parser; `parseMail` throws MailNotParsedError for a mail beyond its limits
   */
  parsed(): Promise<ParsedMail>
  /**
   * Puts a new content in the place of the mail's, with the option `replaceMessage`. `raw` and `parsed` return it then. It
   * counts for the recipients of the event, and together with the decision: docs/contract/mail-flow.md#message-api.
   * @throws InvalidOptionError when that option is missing, and the errors of `replaceMessage`
   */
  replace(raw: RawMail): Promise<void>
}

/** Fetches the raw mail by its message id. `signal` aborts when no time is left to decide. */
export type FetchMessage = (messageId: string, invocation: Invocation) => RawMail | Promise<RawMail>

/** Puts a new content in the place of a mail's. `signal` aborts when no time is left to decide. */
export type ReplaceMessage = (messageId: string, raw: RawMail, invocation: Invocation) => unknown

/** Options for reading and changing the whole mail. The event has only a summary of the mail. */
export interface MessageOptions {
  /** Fetches a raw mail. Without this option, `raw` and `parsed` throw InvalidOptionError. */
  readonly fetchMessage?: FetchMessage
  /** Changes a mail. Without this option, `replace` throws InvalidOptionError. */
  readonly replaceMessage?: ReplaceMessage
  /** Parses a raw mail. Default: `parseMail`, which uses the package `postal-mime` and enforces limits. */
  readonly parseMessage?: ParseMessage
}

/**
 * Returns the mail of an event. Each part of this mail is computed or fetched only when it is used.
 * @param replaced called when the content of the mail was replaced
 */
export function mailOf(
  event: MailEvent,
  invocation: Invocation,
  { fetchMessage, replaceMessage, parseMessage = raw => parseMail(raw) }: MessageOptions = {},
  replaced = () => {},
): Mail {
  let recipients: readonly string[] | undefined
  let raw: Promise<RawMail> | undefined
  let parsed: Promise<ParsedMail> | undefined
  const fetchRaw = async () => {
    if (fetchMessage === undefined)
      throw new InvalidOptionError(
        'mailFlow() needs the option fetchMessage to read a mail, such as platformMessages()',
      )
    const fetched = await fetchMessage(event.messageId, invocation)
    // A parser would treat undefined as an empty mail, and an empty mail looks harmless.
    if (fetched === undefined || fetched === null)
      throw new InvalidOptionError(`fetchMessage returned ${fetched} for ${event.messageId}, not a mail`)
    return fetched
  }
  const mail: Mail = {
    ...event,
    from: event.envelope.mailFrom.address,
    get recipients() {
      recipients ??= event.envelope.recipients.map(({ address }) => address)
      return recipients
    },
    inbound: event.flowDirection === 'INBOUND',
    outbound: event.flowDirection === 'OUTBOUND',
    correlationId: event.invocationId,
    raw() {
      raw ??= fetchRaw()
      return raw
    },
    parsed() {
      parsed ??= mail.raw().then(parseMessage)
      return parsed
    },
    async replace(content) {
      if (replaceMessage === undefined)
        throw new InvalidOptionError(
          'mailFlow() needs the option replaceMessage to change a mail, such as platformMessages()',
        )
      await replaceMessage(event.messageId, content, invocation)
      replaced()
      raw = Promise.resolve(content)
      parsed = undefined
    },
  }
  return mail
}

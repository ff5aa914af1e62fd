import { InvalidOptionError, type Invocation } from '@signalbox/core'
import type { MailEvent } from './contract/index.ts'
import { type ParsedMail, type ParseMessage, parseMail, type RawMail } from './parse-mail.ts'

/** A mail to decide about: the event, and what one asks of it most. */
export interface Mail extends MailEvent {
  /** The address in `envelope.mailFrom`; empty for mail that reports a failed delivery. */
  readonly from: string
  /** The addresses in `envelope.recipients`, in their order. */
  readonly recipients: readonly string[]
  readonly inbound: boolean
  readonly outbound: boolean
  /** The `invocationId`, which is the same in a retry (contract C). */
  readonly correlationId: string
  /**
   * The whole mail, fetched with the option `fetchMessage` when first asked for.
   * @throws InvalidOptionError when there is no such option, or it answers nothing; whatever it throws
   */
  raw(): Promise<RawMail>
  /**
   * The whole mail, fetched and parsed when first asked for, by the option `parseMessage` or else by `parseMail`, which
   * needs the package `postal-mime`.
   * @throws as `raw` does, and as the parser does: `parseMail` throws MailNotParsedError for a mail beyond its limits
   */
  parsed(): Promise<ParsedMail>
}

/** Fetches the raw mail by its message id. `signal` is aborted when there is no time left to decide. */
export type FetchMessage = (messageId: string, invocation: Invocation) => RawMail | Promise<RawMail>

/** Where the whole mail comes from, since the event carries only a summary. */
export interface MessageOptions {
  readonly fetchMessage?: FetchMessage
  /** Parses a raw mail. Default: `parseMail`, with the package `postal-mime` and limits. */
  readonly parseMessage?: ParseMessage
}

/** The mail of an event. Costs nothing that is not asked for. */
export function mailOf(
  event: MailEvent,
  invocation: Invocation,
  { fetchMessage, parseMessage = raw => parseMail(raw) }: MessageOptions = {},
): Mail {
  let recipients: readonly string[] | undefined
  let raw: Promise<RawMail> | undefined
  let parsed: Promise<ParsedMail> | undefined
  const fetchRaw = async () => {
    if (fetchMessage === undefined)
      throw new InvalidOptionError(
        'The event carries only a summary of the mail. Give mailFlow() the option fetchMessage to read the whole.',
      )
    const fetched = await fetchMessage(event.messageId, invocation)
    // A parser takes nothing for an empty mail, and an empty mail looks harmless.
    if (fetched === undefined || fetched === null)
      throw new InvalidOptionError(
        `fetchMessage answered ${fetched} for the mail ${event.messageId}, expected its text or bytes`,
      )
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
  }
  return mail
}

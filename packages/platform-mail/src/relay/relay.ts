import { isAscii as isAsciiData } from 'node:buffer'
import { domainToASCII } from 'node:url'
import { type Clock, systemClock } from '@signalbox/core/base'
import type { RelaySettings } from '../config/mail-settings.ts'
import { converter } from '../message/converter.ts'
import { isAscii } from '../message/is-ascii.ts'
import { handOver, type Order, type RelayError } from './hand-over.ts'
import { optionsOf } from './relay-options.ts'
import { isAboveAnnouncedSize, secretsOf, told } from './relay-words.ts'

/** What the next server says about a mail for one recipient. */
export interface RelayAnswer {
  readonly recipient: string
  /**
   * `refused` is for good; `later` may turn out otherwise. `unreachable` says nothing about the mail: the server could not
   * be asked.
   */
  readonly result: 'relayed' | 'refused' | 'later' | 'unreachable'
  /** What it said, such as `550 5.1.1 No such user`, or why nothing could be said. */
  readonly why: string
}

/** A mail for the relay. */
interface MailToRelay {
  /** Empty for the null sender. */
  readonly from: string
  /** Reads its text, once the relay is ready for it. Undefined when the mail was deleted meanwhile. */
  readonly raw: () => Promise<Buffer | undefined>
}

/** Hands mail on. */
export interface Relay {
  /** One transaction for all recipients. Never rejects: whatever goes wrong is an answer, for each of them. */
  readonly send: (mail: MailToRelay, recipients: readonly string[]) => Promise<readonly RelayAnswer[]>
  /** Ends what is under way. */
  readonly close: () => void
}

const notAscii = '553 5.6.7 The relay does not take addresses beyond ASCII'
const notSpeakable = '501 5.1.3 The address cannot be said in SMTP'

/**
 * Milliseconds for which a server is not asked again that could not be reached, so that mails that wait do not each
 * wait for their connection to fail. Less than what lies between two attempts to deliver.
 */
const restAfterFailure = 30_000

/** @param name what this server calls itself */
export function relay(
  settings: RelaySettings,
  name: string,
  clock: Pick<Clock, 'after' | 'now'> = systemClock,
): Relay {
  const { host, port, user, password } = settings
  const auth = user === undefined ? undefined : { user, pass: password ?? '' }
  const secrets = secretsOf(settings)
  const underWay = new Set<() => void>()
  const options = optionsOf(settings, name)
  const { convert, close: endConversion } = converter()
  let outage: { readonly until: number; readonly why: string } | undefined

  return {
    async send(mail, recipients) {
      if (outage !== undefined && clock.now() < outage.until) {
        const { why } = outage
        return recipients.map(recipient => ({ recipient, result: 'unreachable', why }))
      }
      const paths = new Map<string, Path>()
      const order: Order = {
        options,
        auth,
        async transaction(extensions) {
          const sender = pathOf(mail.from, extensions.utf8)
          const content = await mail.raw()
          if (content === undefined) throw new Error('the mail was deleted')
          const form = 'to' in sender ? await convert(content, extensions) : sender
          for (const recipient of recipients)
            paths.set(recipient, 'raw' in form ? pathOf(recipient, extensions.utf8) : form)
          const to = [...paths.values()].flatMap(path => ('to' in path ? [path.to] : []))
          if (!('to' in sender && 'raw' in form) || to.length === 0) return undefined
          const { raw, utf8Headers } = form
          const envelope = { from: sender.to, to, size: raw.length, use8BitMime: !isAsciiData(raw) }
          return { envelope, raw, utf8Headers }
        },
      }
      let close: (() => void) | undefined
      const { error, rejected, reached } = await handOver(order, clock, end => {
        close = end
        underWay.add(end)
      })
      if (close !== undefined) underWay.delete(close)
      outage =
        reached || error === undefined
          ? undefined
          : { until: clock.now() + restAfterFailure, why: told(error, settings, secrets) }
      return recipients.map((recipient): RelayAnswer => {
        const path = paths.get(recipient)
        if (path !== undefined && 'refusal' in path)
          return { recipient, result: 'refused', why: path.refusal }
        // A server that has refused the sender says of everyone that there is none.
        const own = error?.command === 'MAIL FROM' ? undefined : path && rejected.get(path.to)
        const failure = own ?? error
        return failure === undefined
          ? { recipient, result: 'relayed', why: `the relay ${host}:${port} has it` }
          : {
              recipient,
              result: isForGood(failure) ? 'refused' : reached ? 'later' : 'unreachable',
              why: told(failure, settings, secrets),
            }
      })
    },

    close() {
      for (const end of underWay) end()
      endConversion()
    },
  }
}

/** Only what is said about the mail is for good. What is said about us, such as a wrong password, can be mended. */
function isForGood(error: RelayError): boolean {
  const { command = '', responseCode = 0 } = error
  if (isAboveAnnouncedSize(error)) return true
  // What old servers say to one recipient too many: RFC 5321, 4.5.3.1.10.
  if (command === 'RCPT TO' && responseCode === 552) return false
  const aboutMail = ['MAIL FROM', 'RCPT TO', 'DATA'].includes(command)
  return aboutMail && responseCode >= 500 && responseCode < 600 && !aboutUs.includes(responseCode)
}

/** Bad sequence, and the replies to those who have to say who they are first, or to encrypt. */
const aboutUs = [503, 530, 538]

/** The address that the relay is told, or why it is told none. */
type Path = { readonly to: string } | { readonly refusal: string }

/** A domain in any script has a form in ASCII; the part before it has none. */
function pathOf(address: string, canUtf8: boolean): Path {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\x00-\x1f\x7f<>]/.test(address)) return { refusal: notSpeakable }
  if (canUtf8 || isAscii(address)) return { to: address }
  const at = address.lastIndexOf('@')
  const domain = domainToASCII(address.slice(at + 1))
  return isAscii(address.slice(0, at)) && domain !== ''
    ? { to: `${address.slice(0, at)}@${domain}` }
    : { refusal: notAscii }
}

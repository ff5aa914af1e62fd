import { isAscii as isAsciiData } from 'node:buffer'
import { domainToASCII } from 'node:url'
import { type Clock, systemClock } from '@signalbox/core/base'
import type { RelaySettings } from '../../../config/mail-settings.ts'
import { isAscii } from '../message/is-ascii.ts'
import { handOver, type RelayError } from './hand-over.ts'
import type { StoredMail } from './maildirs.ts'
import { optionsOf } from './relay-options.ts'
import { secretsOf, told } from './relay-words.ts'

/** What the next server says about a mail for one recipient. */
export interface RelayAnswer {
  readonly recipient: string
  /** `refused` is for good; `later` may turn out otherwise. */
  readonly result: 'relayed' | 'refused' | 'later'
  /** What it said, such as `550 5.1.1 No such user`, or why nothing could be said. */
  readonly why: string
}

/** Hands mail on. */
export interface Relay {
  /** One transaction for all recipients. Never rejects: whatever goes wrong is an answer, for each of them. */
  readonly send: (
    mail: Pick<StoredMail, 'from' | 'raw'>,
    recipients: readonly string[],
  ) => Promise<readonly RelayAnswer[]>
  /** Ends what is under way. */
  readonly close: () => void
}

const notAscii = '553 5.6.7 The relay does not take addresses beyond ASCII'
const notSpeakable = '501 5.1.3 The address cannot be said in SMTP'

/** @param name what this server calls itself */
export function relay(
  settings: RelaySettings,
  name: string,
  clock: Pick<Clock, 'after'> = systemClock,
): Relay {
  const { host, port, user, password } = settings
  const auth = user === undefined ? undefined : { user, pass: password ?? '' }
  const secrets = secretsOf(settings)
  const underWay = new Set<() => void>()
  const options = optionsOf(settings, name)

  return {
    async send({ from, raw }, recipients) {
      /** By recipient, the address that the relay is told, or why it is told none. */
      const paths = new Map<string, { readonly to: string } | { readonly refusal: string }>()
      const order = {
        options,
        auth,
        raw,
        envelope(canUtf8: boolean) {
          const sender = pathOf(from, canUtf8)
          for (const recipient of recipients)
            paths.set(recipient, 'to' in sender ? pathOf(recipient, canUtf8) : sender)
          const to = [...paths.values()].flatMap(path => ('to' in path ? [path.to] : []))
          if (!('to' in sender) || to.length === 0) return undefined
          return { from: sender.to, to, size: raw.length, use8BitMime: !isAsciiData(raw) }
        },
      }
      let close: (() => void) | undefined
      const { error, rejected } = await handOver(order, clock, end => {
        close = end
        underWay.add(end)
      })
      if (close !== undefined) underWay.delete(close)
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
              result: isForGood(failure) ? 'refused' : 'later',
              why: told(failure, settings, secrets),
            }
      })
    },

    close() {
      for (const end of underWay) end()
    },
  }
}

/** Only what is said about the mail is for good. What is said about us, such as a wrong password, can be mended. */
function isForGood({ code, command = '', responseCode = 0 }: RelayError): boolean {
  // What the library does not even send because it is above the limit that was announced.
  if (code === 'EMESSAGE' && responseCode === 0) return true
  // What old servers say to one recipient too many: RFC 5321, 4.5.3.1.10.
  if (command === 'RCPT TO' && responseCode === 552) return false
  const aboutMail = ['MAIL FROM', 'RCPT TO', 'DATA'].includes(command)
  return aboutMail && responseCode >= 500 && responseCode < 600 && !aboutUs.includes(responseCode)
}

/** Bad sequence, and the replies to those who have to say who they are first, or to encrypt. */
const aboutUs = [503, 530, 538]

/** A domain in any script has a form in ASCII; the part before it has none. */
function pathOf(address: string, canUtf8: boolean): { readonly to: string } | { readonly refusal: string } {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\x00-\x1f\x7f<>]/.test(address)) return { refusal: notSpeakable }
  if (canUtf8 || isAscii(address)) return { to: address }
  const at = address.lastIndexOf('@')
  const domain = domainToASCII(address.slice(at + 1))
  return isAscii(address.slice(0, at)) && domain !== ''
    ? { to: `${address.slice(0, at)}@${domain}` }
    : { refusal: notAscii }
}

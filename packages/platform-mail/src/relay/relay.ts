import { isAscii as isAsciiData } from 'node:buffer'
import { domainToASCII } from 'node:url'
import { type Clock, systemClock } from '@signalbox/core/base'
import { isAddress } from '@signalbox/mail-flow/contract'
import type { ServerSettings } from '../config/mail-settings.ts'
import { converter } from '../message/converter.ts'
import { isAscii } from '../message/is-ascii.ts'
import { failureText, isTooLarge, secretsOf, serverName } from './failure-text.ts'
import { handOver } from './hand-over.ts'
import type { SignMail } from './sign-mail.ts'
import type { RelayError } from './smtp-client.ts'

/** The result of handing a mail to the relay, for one recipient. */
export interface RelayResult {
  readonly recipient: string
  /**
   * `refused` is permanent, and `later` is temporary. `unreachable` is temporary, too, and means that the connection to
   * the relay failed regardless of the mail.
   */
  readonly result: 'relayed' | 'refused' | 'later' | 'unreachable'
  /** The relay's reply, such as `550 5.1.1 No such user`, or the reason why the relay did not reply. */
  readonly why: string
}

/** A mail for the relay. */
interface MailToRelay {
  /** The address of the sender. Empty for the null sender. */
  readonly from: string
  /** Whether the client that sent the mail used SMTPUTF8. */
  readonly utf8: boolean
  /**
   * Reads the raw mail when the relay is ready for it. Returns undefined if the mail was deleted in the meantime.
   */
  readonly raw: () => Promise<Buffer | undefined>
  /** Signs the mail after all changes of its form. */
  readonly sign?: SignMail | undefined
}

/** A server that gets mail from this platform. */
export interface Relay {
  /** Hands over a mail for all recipients in one transaction. Never rejects, because each failure is a result. */
  readonly send: (mail: MailToRelay, recipients: readonly string[]) => Promise<readonly RelayResult[]>
  /** Ends all connections. */
  readonly close: () => void
}

const notAscii = '553 5.6.7 The relay does not accept non-ASCII addresses'
const notAsciiHeaders = '554 5.6.9 The relay does not accept non-ASCII headers'
const notSendable = '501 5.1.3 SMTP cannot transmit this address'

/**
 * Milliseconds until the next attempt after a relay could not be reached. Until then, no mail causes a new connection.
 * This pause is shorter than the intervals between delivery attempts.
 */
const outageTime = 30_000

/**
 * Creates a relay with these settings.
 * @param name the name of this server
 */
export function relay(
  settings: ServerSettings,
  name: string,
  clock: Pick<Clock, 'after' | 'now'> = systemClock,
): Relay {
  const secrets = secretsOf(settings)
  const connections = new Set<() => void>()
  const { convert, close: closeConverter } = converter()
  let outage: { readonly until: number; readonly why: string } | undefined

  return {
    async send(mail, recipients) {
      if (outage !== undefined && clock.now() < outage.until) {
        const { why } = outage
        return recipients.map(recipient => ({ recipient, result: 'unreachable', why }))
      }
      const paths = new Map<string, Path>()
      let close: (() => void) | undefined
      const { error, accepted, rejected, reached } = await handOver(
        settings,
        name,
        async capabilities => {
          const content = await mail.raw()
          if (content === undefined) throw new Error('the mail was deleted')
          const { raw: converted, eightBitHeaders } = await convert(content, capabilities)
          const raw = mail.sign === undefined ? converted : await mail.sign(converted)
          // Like Postfix, the platform asks for SMTPUTF8 only if the client did, or if an address needs it. Otherwise raw
          // bytes in headers are 8-bit data, which every server passes on.
          const utf8Headers = mail.utf8 && eightBitHeaders
          const sender: Path =
            utf8Headers && !capabilities.utf8
              ? { refusal: notAsciiHeaders }
              : pathOf(mail.from, capabilities.utf8)
          for (const recipient of recipients)
            paths.set(recipient, 'address' in sender ? pathOf(recipient, capabilities.utf8) : sender)
          const to = [...paths.values()].flatMap(path => ('address' in path ? [path.address] : []))
          if (!('address' in sender) || to.length === 0) return undefined
          return {
            ...{ from: sender.address, to, raw, isEightBit: !isAsciiData(raw) },
            needsUtf8: utf8Headers || ![sender.address, ...to].every(isAscii),
          }
        },
        clock,
        end => {
          close = end
          connections.add(end)
        },
      )
      if (close !== undefined) connections.delete(close)
      outage =
        reached || error === undefined
          ? undefined
          : { until: clock.now() + outageTime, why: failureText(error, settings, secrets) }
      return recipients.map((recipient): RelayResult => {
        const path = paths.get(recipient)
        if (path !== undefined && 'refusal' in path)
          return { recipient, result: 'refused', why: path.refusal }
        const failure =
          path && accepted.has(path.address) ? undefined : ((path && rejected.get(path.address)) ?? error)
        return failure === undefined
          ? { recipient, result: 'relayed', why: `${serverName(settings)} has it` }
          : {
              recipient,
              result: isPermanent(failure) ? 'refused' : reached ? 'later' : 'unreachable',
              why: failureText(failure, settings, secrets),
            }
      })
    },

    close() {
      for (const end of connections) end()
      closeConverter()
    },
  }
}

/**
 * Returns whether a refusal is permanent. Only replies about the mail are permanent. An operator can fix the cause
 * of any other reply, such as a wrong password.
 */
function isPermanent(error: RelayError): boolean {
  const { command = '', reply } = error
  if (isTooLarge(error)) return true
  const code = reply?.code ?? 0
  // Old servers send this reply when there are too many recipients (RFC 5321, 4.5.3.1.10).
  if (command === 'RCPT TO' && code === 552) return false
  const isAboutMail = ['MAIL FROM', 'RCPT TO', 'DATA'].includes(command)
  return isAboutMail && code >= 500 && !aboutUs.includes(code)
}

/** The replies to commands in the wrong order, and to clients that must first authenticate or use TLS. */
const aboutUs = [503, 530, 538]

/** An address in a form that the relay accepts, or the reason why there is no such form. */
type Path = { readonly address: string } | { readonly refusal: string }

/** Converts an address for the relay. Every domain has an ASCII form. A non-ASCII local part has no ASCII form. */
function pathOf(address: string, canUtf8: boolean): Path {
  if (address !== '' && !isAddress(address)) return { refusal: notSendable }
  if (canUtf8 || isAscii(address)) return { address }
  const at = address.lastIndexOf('@')
  const domain = domainToASCII(address.slice(at + 1))
  return isAscii(address.slice(0, at)) && domain !== ''
    ? { address: `${address.slice(0, at)}@${domain}` }
    : { refusal: notAscii }
}

import type { Socket } from 'node:net'
import type { Clock } from '@signalbox/core'
import { addressKey, outboundRecipientsLimit } from '@signalbox/mail-flow/contract'
import type { SMTPServer, SMTPServerError } from 'smtp-server'
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js'
import type { MailSettings } from '../config/mail-settings.ts'
import { directionOf } from '../routing.ts'
import type { Bounds } from './bounds.ts'
import { clientNetwork } from './client-network.ts'
import type { Peer } from './connection-problem.ts'
import { lineProblem } from './line-problem.ts'
import { readRecipient } from './recipient.ts'
import type { RefusedRecipients } from './refused-recipients.ts'
import { isEnhanced, type Reply, replyLines } from './reply.ts'
import { readSender } from './sender.ts'
import { WireReader } from './wire-reader.ts'

/** Milliseconds that a client has to read the last reply when the server stops. */
const farewell = 500

/** What all conversations of a listener have in common. */
export interface Desk {
  readonly settings: MailSettings
  readonly bounds: Bounds
  readonly clock: Clock
  readonly isTrusted: (address: string) => boolean
  readonly isClosing: () => boolean
  readonly refused: RefusedRecipients
}

const comeAgain = 'come again later'

/**
 * One connection. A class because it takes the place of the library's, whose life of a connection it keeps (TLS,
 * time-outs, replies in order), and whose rules for commands and addresses it does not.
 */
export class Conversation extends SMTPConnection implements Peer {
  readonly #desk: Desk
  readonly #since: number
  readonly isTrusted: boolean
  readonly network: string
  #recipients = new Map<string, string>()
  #refusedRecipients = 0
  /** Commands since the last mail that have brought none any further. */
  #idleCommands = 0
  #stopWaiting = () => {}
  /** A mail of this connection is being written down. */
  isStoring = false

  constructor(server: SMTPServer, socket: Socket, desk: Desk) {
    super(server, socket)
    this.#desk = desk
    this.#since = desk.clock.now()
    this.isTrusted = desk.isTrusted(this.remoteAddress)
    this.network = clientNetwork(this.remoteAddress)
  }

  get isClosing(): boolean {
    return this._closing || this._closed
  }

  /** The mail that is on its way. */
  get mail(): { readonly from: string; readonly recipients: readonly string[]; readonly utf8: boolean } {
    const { mailFrom, smtpUtf8 = false } = this.session.envelope
    const from = mailFrom === false ? '' : mailFrom.address
    return { from, recipients: [...this.#recipients.values()], utf8: smtpUtf8 }
  }

  /** Says a last thing. */
  end({ code, text }: Reply): void {
    this.send(code, text)
    this.close()
  }

  /** Ends the connection because the server stops; what is being stored is answered first. */
  dismiss(): void {
    if (this.isStoring || this._closing) return
    this.end({ code: 421, text: '4.3.2 The server is stopping, come again later' })
  }

  /** Ends the connection as it is. */
  cut(): void {
    this._socket.destroy()
  }

  /** Begins, or says why not. Without the library's pause before the greeting, which catches clients that talk too soon. */
  begin(refusal: Reply | undefined): void {
    const tooManyRefused = {
      code: 421,
      text: `4.7.0 Too many unknown recipients from your address, ${comeAgain}`,
    }
    const reply = refusal ?? (this.#isOver() ? tooManyRefused : undefined)
    this._setListeners(() => {
      if (reply !== undefined) return this.end(reply)
      this.#waitForMail()
      this.connectionReady()
    })
  }

  #isOver(): boolean {
    return !this.isTrusted && this.#desk.refused.isOver(this.network)
  }

  /** A mail has come in whole. */
  #waitForMail(): void {
    const { clock, bounds } = this.#desk
    this.#stopWaiting()
    // Its mail was stored when the client had left already.
    if (this._closed) return
    this.#idleCommands = 0
    this.#stopWaiting = clock.after(bounds.progress, () => {
      // A mail that is on its way has a time of its own.
      if (this._dataStream || this.isStoring) this.#waitForMail()
      else this.end({ code: 421, text: `4.4.2 No mail has come for too long, ${comeAgain}` })
    })
  }

  override _onClose(): void {
    this.#stopWaiting()
    super._onClose()
  }

  override _createParser(): WireReader {
    const reader = new WireReader({ maxCommandLength: this._server.options.maxCommandLength })
    reader.oncommand = (line, next) => this._onCommand(line, next)
    reader.on('error', ({ responseCode = 421, message }: SMTPServerError) =>
      this.end({ code: responseCode, text: message }),
    )
    // The client has said all that it has to say, and everything that is whole is answered.
    reader.on('finish', () => {
      if (reader.isCutOff) this.end({ code: 451, text: '4.4.2 What you said was cut off' })
      else this.close()
    })
    return reader
  }

  // The library's own says nothing any more to a client that has closed its side.
  override send(code: number, text?: string | string[] | null, context?: string | false): void {
    const status = isEnhanced(text) ? '' : this._getEnhancedStatusCode(code, context)
    const socket = this._socket
    if (!this._upgrading && !socket.destroyed && socket.writable)
      socket.write(replyLines(code, status, [text ?? ''].flat()))
    if (code === 421) this.close()
  }

  // The library looks some status codes up by words that come from the client.
  override _getEnhancedStatusCode(code: number, context?: string | false): string {
    const status = super._getEnhancedStatusCode(code, context)
    return status === '' || status[0] === String(code)[0] ? status : super._getEnhancedStatusCode(code)
  }

  override close(): void {
    super.close()
    if (this.#desk.isClosing()) setTimeout(() => this.cut(), farewell).unref()
  }

  override _onCommand(line: Buffer, next: () => void = () => {}) {
    if (this.#desk.isClosing()) return this.dismiss()
    if (++this.#idleCommands > this.#desk.bounds.idleCommands)
      return this.end({ code: 421, text: `4.7.0 Too many commands without a mail, ${comeAgain}` })
    const problem = lineProblem(line)
    if (problem === undefined) return super._onCommand(line, next)
    if (problem.fatal) return this.end(problem)
    if (++this._unrecognizedCommands >= this.#desk.bounds.missteps)
      return this.end({ code: 421, text: '4.7.0 Too many unrecognized commands' })
    this.send(problem.code, problem.text)
    setImmediate(() => this._whenWritable(next))
  }

  /** The reply that a mail has got. */
  answered(reply: Reply): void {
    if (reply.code === 250) this.#waitForMail()
  }

  override _resetSession(): void {
    super._resetSession()
    this.#recipients = new Map()
  }

  // A client that leaves in the middle of a handshake has nothing more to be told.
  override upgrade(next: () => void, secured?: () => void): void {
    this._socket.allowHalfOpen = false
    super.upgrade(next, secured)
  }

  override handler_MAIL(line: Buffer, next: () => void): void {
    const { envelope } = this.session
    const { clock, bounds } = this.#desk
    if (clock.now() - this.#since >= bounds.session) {
      this.end({ code: 421, text: '4.7.0 The connection has been open for too long, connect again' })
      return
    }
    const sender: ReturnType<typeof readSender> =
      envelope.mailFrom === false
        ? readSender(line, this.#desk.settings.sizeLimit)
        : { code: 503, text: '5.5.1 There is a sender already' }
    if ('code' in sender) this.send(sender.code, sender.text)
    else {
      envelope.mailFrom = { address: sender.address, args: false }
      envelope.smtpUtf8 = sender.utf8
      this.send(250, '2.1.0 Sender accepted')
    }
    next()
  }

  override handler_RCPT(line: Buffer, next: () => void): void {
    const reply = this.#addRecipient(line)
    if (reply.code === 550 && !this.isTrusted) {
      this.#desk.refused.add(this.network)
      if (++this.#refusedRecipients > this.#desk.bounds.refusedRecipients || this.#isOver()) {
        this.end({ code: 421, text: `4.7.0 Too many unknown recipients, ${comeAgain}` })
        return
      }
    }
    this.send(reply.code, reply.text)
    next()
  }

  #addRecipient(line: Buffer): Reply {
    const { envelope } = this.session
    if (envelope.mailFrom === false) return { code: 503, text: '5.5.1 There is no sender yet' }
    const { settings } = this.#desk
    const client = { trusted: this.isTrusted, utf8: envelope.smtpUtf8 === true }
    const recipient = readRecipient(line, client, settings)
    if (typeof recipient !== 'string') return recipient
    const key = addressKey(recipient)
    if (!this.#recipients.has(key)) {
      if (this.#recipients.size >= settings.recipientsLimit)
        return { code: 452, text: `4.5.3 A mail has ${settings.recipientsLimit} recipients at most` }
      if (this.#isBeyondEvent(recipient))
        return {
          code: 452,
          text: `4.5.3 A mail has ${outboundRecipientsLimit} recipients in other domains at most`,
        }
      this.#recipients.set(key, recipient)
      this.#idleCommands--
      // The library wants to see that there are some.
      envelope.rcptTo.push({ address: recipient, args: false })
    }
    return { code: 250, text: '2.1.5 Recipient accepted' }
  }

  /** A synchronous function is called for a limited number of outbound recipients: docs/contract/mail-flow.md#limits.outboundRecipients. */
  #isBeyondEvent(recipient: string): boolean {
    const { settings } = this.#desk
    const isOutbound = (address: string) => directionOf(address, settings) === 'OUTBOUND'
    const isLimited = settings.rules.some(
      ({ direction, mode }) => direction === 'OUTBOUND' && mode === 'sync',
    )
    return (
      isLimited &&
      this.#recipients.size >= outboundRecipientsLimit &&
      isOutbound(recipient) &&
      [...this.#recipients.values()].filter(isOutbound).length >= outboundRecipientsLimit
    )
  }

  override handler_DATA(line: Buffer, next: () => void) {
    const refusal =
      line.toString('latin1').trim().length > 4
        ? '5.5.4 DATA has no parameters'
        : this.#recipients.size === 0
          ? '5.5.1 There is no recipient yet'
          : undefined
    // Not at once, since the library loses its place when a whole mail is there before this returns.
    if (refusal === undefined) return super.handler_DATA(line, () => setImmediate(next))
    this.send(refusal.startsWith('5.5.4') ? 501 : 503, refusal)
    next()
  }
}

import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import type { Capabilities } from '../message/transport-form.ts'

/** The part of the library's connection that its types leave out. */
interface Internals {
  _responseQueue: string[]
  _supportedExtensions: readonly string[]
  _processResponse(): void
  _sendCommand(command: string, logged?: string): void
  _onError(error: Error, code: string, response: false, command: string): void
}

const LibraryConnection = SMTPConnection as unknown as new (
  options: SMTPConnectionOptions,
) => SMTPConnection & Internals

/**
 * A connection to a relay. A class because it takes the place of the library's, which looks at the first digit of a
 * reply alone, and says SMTPUTF8 for addresses but never for headers.
 */
export class RelayConnection extends LibraryConnection {
  /** The mail of this connection has headers that need SMTPUTF8. */
  sendsUtf8 = false

  /** What the server has announced in its reply to EHLO; known once the connection is ready for mail. */
  get extensions(): Capabilities {
    const has = (name: string) => this._supportedExtensions.includes(name)
    return { eightBit: has('8BITMIME'), utf8: has('SMTPUTF8') }
  }

  // Behind a reply that is malformed it is not known which reply belongs to which command.
  override _processResponse(): void {
    const [reply = ''] = this._responseQueue
    if (reply.trim() === '' || isReply(reply)) super._processResponse()
    else {
      this._responseQueue = []
      this._onError(new Error(`it sent what is no SMTP reply: ${reply}`), 'EPROTOCOL', false, 'CONN')
    }
  }

  override _sendCommand(command: string, logged?: string): void {
    const addsUtf8 = this.sendsUtf8 && /^MAIL FROM:/.test(command) && !/ SMTPUTF8(?: |$)/.test(command)
    super._sendCommand(addsUtf8 ? `${command} SMTPUTF8` : command, logged)
  }
}

/** Whether each line starts with the same code of three digits: RFC 5321, 4.2. */
function isReply(text: string): boolean {
  const code = text.slice(0, 3)
  return /^[2-5]\d\d$/.test(code) && text.split('\n').every(line => line.startsWith(code) && isEnd(line[3]))
}

/** What may stand behind the code. */
function isEnd(character: string | undefined): boolean {
  return character === undefined || character === ' ' || character === '-'
}

import type { Clock } from '@signalbox/core'
import type { SMTPConnectionOptions, SMTPEnvelope } from 'nodemailer/lib/smtp-connection'
import type { Capabilities } from '../message/transport-form.ts'
import { RelayConnection } from './relay-connection.ts'

/** What the other side said, or what came between. */
export interface RelayError extends Error {
  /** The reply as it came, if there was one. */
  readonly response?: string | undefined
  readonly responseCode?: number | undefined
  /** The command that was replied to. */
  readonly command?: string | undefined
  readonly code?: string | undefined
}

/** What became of a mail that was handed over, or not. */
export interface HandOver {
  /** What failed it for all recipients that are not among `rejected`. */
  readonly error: RelayError | undefined
  /** Why recipients were not taken, by address. */
  readonly rejected: ReadonlyMap<string, RelayError>
  /** Whether the server was ready for a mail, so that what it said is about this one. */
  readonly reached: boolean
}

/** What a server is sent. */
interface Transaction {
  readonly envelope: SMTPEnvelope
  readonly raw: Buffer
  /** The headers need SMTPUTF8. */
  readonly utf8Headers: boolean
}

/** What is done on one connection: the transaction depends on what the server can. */
export interface Order {
  readonly options: SMTPConnectionOptions
  readonly auth: { readonly user: string; readonly pass: string } | undefined
  /** Undefined when there is nothing left to be sent to this server. */
  readonly transaction: (extensions: Capabilities) => Promise<Transaction | undefined>
}

/** Milliseconds that a server has to answer to the last command, and to close its side. */
const farewell = 2000

/** Milliseconds until a server is ready for a mail, TLS and login included, however often it says something. */
const setup = 2 * 60_000

/** Milliseconds that a mail may take, however often the server says something: so many, and more for large ones. */
const duration = (bytes: number) => 15 * 60_000 + bytes / slowest

/** Bytes a millisecond. */
const slowest = 16

/** Hands one mail over, on a connection of its own. `opened` gets what ends it early. Never rejects. */
export function handOver(
  { options, auth, transaction }: Order,
  clock: Pick<Clock, 'after'>,
  opened: (close: () => void) => void,
): Promise<HandOver> {
  let cancel = () => {}
  return new Promise<HandOver>(resolve => {
    const own: SMTPConnectionOptions = { ...options, socketCloseTimeout: farewell }
    const connection = new RelayConnection(own)
    let envelope: SMTPEnvelope | undefined
    let reached = false
    let over = false
    const finish = (error?: RelayError | null) => {
      if (over) return
      over = true
      resolve({ error: error ?? undefined, rejected: rejectedOf(envelope), reached })
      if (error) return connection.close()
      connection.quit()
      setTimeout(() => {
        own.socketCloseTimeout = 0
        connection.close()
      }, farewell).unref()
    }
    const within = (time: number) => {
      cancel()
      cancel = clock.after(time, () => finish(new Error('it takes too long')))
    }
    within(setup)
    connection.on('error', finish)
    // When it was the other side that ended it, what it said comes right after.
    connection.on('end', () => setImmediate(() => finish(new Error('the connection was closed'))))
    opened(() => {
      // A server that does not close its side would keep the process.
      own.socketCloseTimeout = 0
      finish(new Error('the box is stopping'))
    })

    const begin = () => {
      reached = true
      transaction(connection.extensions).then(send, finish)
    }
    const send = (what: Transaction | undefined) => {
      if (over) return
      if (what === undefined) return finish()
      envelope = what.envelope
      connection.sendsUtf8 = what.utf8Headers
      within(duration(what.raw.length))
      connection.send(envelope, what.raw, finish)
    }
    connection.connect(error => {
      if (error) finish(error)
      else if (auth === undefined || !connection.allowsAuth) begin()
      else connection.login({ ...auth }, failure => (failure ? finish(failure) : begin()))
    })
  })
    .catch((error: RelayError) => ({ error, rejected: new Map(), reached: false }))
    .finally(() => cancel())
}

/** The library notes on the envelope who was not taken, and tells it only when the rest of the mail goes well. */
function rejectedOf(envelope: SMTPEnvelope | undefined): ReadonlyMap<string, RelayError> {
  const { rejectedErrors = [] } = (envelope ?? {}) as { readonly rejectedErrors?: readonly Rejection[] }
  return new Map(rejectedErrors.map(error => [error.recipient ?? '', error]))
}

interface Rejection extends RelayError {
  readonly recipient?: string | undefined
}

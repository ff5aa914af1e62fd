import type { Clock } from '@signalbox/core'
import SMTPConnection, { type SMTPConnectionOptions, type SMTPEnvelope } from 'nodemailer/lib/smtp-connection'

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
}

/** What is done on one connection: the envelope depends on what the server can. */
export interface Order {
  readonly options: SMTPConnectionOptions
  readonly auth: { readonly user: string; readonly pass: string } | undefined
  /** Undefined when there is nothing left to be sent to this server. */
  readonly envelope: (canUtf8: boolean) => SMTPEnvelope | undefined
  readonly raw: Buffer
}

/** Milliseconds that a server has to answer to the last command. */
const farewell = 2000

/** Milliseconds that a mail may take, however often the server says something: what the listener grants, too. */
const duration = 60 * 60_000

/** Hands one mail over, on a connection of its own. `opened` gets what ends it early. Never rejects. */
export function handOver(
  { options, auth, envelope: envelopeFor, raw }: Order,
  clock: Pick<Clock, 'after'>,
  opened: (close: () => void) => void,
): Promise<HandOver> {
  let cancel = () => {}
  return new Promise<HandOver>(resolve => {
    const connection = new SMTPConnection(options)
    let envelope: SMTPEnvelope | undefined
    let over = false
    const finish = (error?: RelayError | null) => {
      if (over) return
      over = true
      resolve({ error: error ?? undefined, rejected: rejectedOf(envelope) })
      if (error) return connection.close()
      connection.quit()
      setTimeout(() => connection.close(), farewell).unref()
    }
    cancel = clock.after(duration, () => finish(new Error('it takes too long')))
    connection.on('error', finish)
    // When it was the other side that ended it, what it said comes right after.
    connection.on('end', () => setImmediate(() => finish(new Error('the connection was closed'))))
    opened(() => {
      finish(new Error('the box is stopping'))
      connection.close()
    })

    const send = () => {
      envelope = envelopeFor(canUtf8(connection))
      if (envelope === undefined) finish()
      else connection.send(envelope, raw, finish)
    }
    connection.connect(error => {
      if (error) finish(error)
      else if (auth === undefined || !connection.allowsAuth) send()
      else connection.login({ ...auth }, failure => (failure ? finish(failure) : send()))
    })
  })
    .catch((error: RelayError) => ({ error, rejected: new Map() }))
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

/** What the server announced is nowhere to be read before a mail is sent. */
function canUtf8(connection: SMTPConnection): boolean {
  const { _supportedExtensions: extensions } = connection as unknown as {
    readonly _supportedExtensions?: readonly string[]
  }
  return extensions?.includes('SMTPUTF8') ?? true
}

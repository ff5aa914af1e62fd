import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { Clock } from '@signalbox/core'
import { isOwnAddress } from '@signalbox/platform-runtime/config'
import type { ServerSettings } from '../config/mail-settings.ts'
import type { Capabilities } from '../message/transport-form.ts'
import { type RelayError, refusedBy, type ServerReply, type SmtpClient, smtpClient } from './smtp-client.ts'

/** The result of handing over a mail. */
export interface HandOver {
  /** The error that prevented the delivery to all recipients that are neither in `accepted` nor in `rejected`. */
  readonly error: RelayError | undefined
  /** The recipients for which an LMTP server has the mail. */
  readonly accepted: ReadonlySet<string>
  /** The reasons for refused recipients, by address. */
  readonly rejected: ReadonlyMap<string, RelayError>
  /** Whether the relay was ready for a mail. Otherwise, its replies are not about this mail. */
  readonly reached: boolean
}

/** A mail in the form that one relay accepts. */
interface Transaction {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: Buffer
  /** Whether the mail needs SMTPUTF8. */
  readonly needsUtf8: boolean
  /** Whether the mail has bytes beyond ASCII. */
  readonly isEightBit: boolean
}

/** The capabilities in a relay's reply to EHLO. */
interface Extensions extends Capabilities {
  readonly startTls: boolean
  /** The names of authentication mechanisms. */
  readonly auth: readonly string[]
  /** Whether the relay accepts the parameter SIZE. */
  readonly size: boolean
  /** The size limit of a mail in bytes. Undefined if there is no limit. */
  readonly sizeLimit: number | undefined
}

/**
 * The time limits in milliseconds for connecting, for becoming ready for a mail, and for each reply (RFC 5321,
 * 4.5.3.2).
 */
const [connectLimit, setupLimit, replyLimit] = [30_000, 2 * 60_000, 10 * 60_000]

/** Returns the time limit for the transfer of a mail in milliseconds. Large mails get more time. */
const transferLimit = (bytes: number) => 15 * 60_000 + bytes / slowestRate

/** The lowest accepted transfer rate, in bytes per millisecond. */
const slowestRate = 16

/** The time limit in milliseconds for a relay to close the connection after the last command. */
const closeLimit = 2000

/** The error message for a mail that exceeds the relay's announced size limit and is therefore not sent. */
export const tooLarge = 'the mail is larger than the limit of the relay'

/**
 * Hands one mail to the relay on a new connection. Never rejects.
 * @param transactionFor converts the mail for the relay's capabilities, or returns undefined if there is nothing to
 * send
 * @param opened is called with a function that ends the connection early
 */
export async function handOver(
  settings: ServerSettings,
  name: string,
  transactionFor: (capabilities: Capabilities) => Promise<Transaction | undefined>,
  clock: Pick<Clock, 'after'>,
  opened: (close: () => void) => void,
): Promise<HandOver> {
  const accepted = new Set<string>()
  const rejected = new Map<string, RelayError>()
  let reached = false
  let socket: Socket | undefined
  let cancel = () => {}
  let abort: (error: Error) => void = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = reject
  })
  const limitTo = (time: number) => {
    cancel()
    cancel = clock.after(time, () => abort(new Error('it takes too long')))
  }
  let isStopping = false
  opened(() => {
    isStopping = true
    abort(new Error('the platform is stopping'))
  })

  const run = async () => {
    limitTo(setupLimit)
    const open = (chosen: ServerSettings) =>
      openSession(chosen, name, clock, next => {
        socket = next
        next.setTimeout(replyLimit, () => abort(new Error('it does not reply')))
      })
    const session = await open(settings).catch(error => {
      if (!(error instanceof TlsError) || settings.tls !== 'opportunistic' || requiresTls(settings))
        throw error
      // Like Postfix, the platform prefers a mail in plain text to no mail.
      socket?.destroy()
      return open({ ...settings, tls: 'never' })
    })
    reached = true
    const transaction = await transactionFor(session.extensions)
    if (transaction === undefined) return
    limitTo(transferLimit(transaction.raw.length))
    await transfer(session, transaction, rejected, settings.protocol === 'LMTP' ? accepted : undefined)
  }

  try {
    await Promise.race([run(), aborted])
    socket?.write('QUIT\r\n')
    return { error: undefined, accepted, rejected, reached }
  } catch (error) {
    return { error: error as RelayError, accepted, rejected, reached }
  } finally {
    cancel()
    close(socket, isStopping ? 0 : closeLimit)
  }
}

/** A connection that is ready for a mail. */
interface OpenSession {
  readonly client: SmtpClient
  readonly extensions: Extensions
}

async function openSession(
  settings: ServerSettings,
  name: string,
  clock: Pick<Clock, 'after'>,
  use: (socket: Socket) => void,
): Promise<OpenSession> {
  const { protocol, host, port, socket, tls, ca, user, password = '' } = settings
  const plain = connectPlain(socket === undefined ? { host, port, noDelay: true } : { path: socket })
  use(plain)
  const cancel = clock.after(connectLimit, () =>
    plain.destroy(new Error('it cannot be connected to in time')),
  )
  let client = smtpClient(plain)
  const encrypt = async () => {
    client.detach()
    const encrypted = connectTls({
      ...{ socket: plain, host, ca, rejectUnauthorized: tls !== 'opportunistic' },
      ...(isIP(host) === 0 && { servername: host }),
    })
    use(encrypted)
    await handshake(encrypted, tls)
    client = smtpClient(encrypted)
  }
  const greeting = async () => {
    if (tls === 'implicit') await encrypt()
    return client.read()
  }
  expectReply(await greeting().finally(cancel), 'CONN')
  let extensions = await hello(client, protocol, name)
  if (usesStartTls(settings, extensions)) {
    const reply = await client.send('STARTTLS')
    if (reply.code < 400 || requiresTls(settings)) {
      expectReply(reply, 'STARTTLS')
      await encrypt()
      extensions = await hello(client, protocol, name)
    }
  }
  if (user !== undefined && extensions.auth.length > 0) await logIn(client, extensions.auth, user, password)
  return { client, extensions }
}

/** The error when a relay's TLS, or its certificate, is not accepted. */
class TlsError extends Error {}

/** Waits until a connection is encrypted. */
async function handshake(encrypted: TLSSocket, tls: ServerSettings['tls']): Promise<void> {
  try {
    await once(encrypted, 'secureConnect')
  } catch (error) {
    const { message, code = '' } = error as NodeJS.ErrnoException
    // The codes of OpenSSL for certificates, and Node's for a name that the certificate does not have.
    const isUntrusted = /CERT|SIGNATURE|ISSUER|ALTNAME/.test(code)
    const advice = isUntrusted ? ", and mail.relay.ca can name the file of the relay's authority" : ''
    // Node adds advice for clients whose options can be changed.
    const [reason = ''] = message.trim().split(';')
    throw new TlsError(`there is no TLS with it: ${reason}. mail.relay.tls is '${tls}'${advice}`)
  }
}

/**
 * Returns whether the platform sends STARTTLS.
 * @throws TlsError if the relay does not offer it although it is required
 */
function usesStartTls(settings: ServerSettings, { startTls }: Pick<Extensions, 'startTls'>): boolean {
  const { tls } = settings
  if (tls === 'implicit' || tls === 'never') return false
  if (startTls || !requiresTls(settings)) return startTls
  const why = tls === 'verify' ? '' : ', and the password needs TLS'
  throw new TlsError(`it does not offer STARTTLS. mail.relay.tls is '${tls}'${why}`)
}

/** Returns whether STARTTLS is required. A password is never sent over a network in plain text. */
export function requiresTls({ host, tls, user }: Pick<ServerSettings, 'host' | 'tls' | 'user'>): boolean {
  return tls === 'verify' || (tls === 'opportunistic' && user !== undefined && !isOwnAddress(host))
}

async function hello(
  client: SmtpClient,
  protocol: ServerSettings['protocol'],
  name: string,
): Promise<Extensions> {
  const command = protocol === 'LMTP' ? 'LHLO' : 'EHLO'
  const reply = await client.send(`${command} ${name}`)
  if (reply.code === 421) throw refusedBy(reply, command)
  if (protocol === 'LMTP') expectReply(reply, command)
  const isExtended = reply.code < 400
  // Old servers support only HELO.
  if (!isExtended) expectReply(await client.send(`HELO ${name}`), 'HELO')
  const keywords = new Map(
    (isExtended ? reply.text.split('\n').slice(1) : []).map(line => {
      const [keyword = '', ...values] = line.slice(4).trim().toUpperCase().split(/[ =]+/)
      return [keyword, values] as const
    }),
  )
  const sizeLimit = Number(keywords.get('SIZE')?.[0] ?? 0)
  return {
    eightBit: keywords.has('8BITMIME'),
    utf8: keywords.has('SMTPUTF8'),
    startTls: keywords.has('STARTTLS'),
    auth: keywords.get('AUTH') ?? [],
    size: keywords.has('SIZE'),
    sizeLimit: sizeLimit > 0 ? sizeLimit : undefined,
  }
}

async function logIn(
  client: SmtpClient,
  mechanisms: readonly string[],
  user: string,
  password: string,
): Promise<void> {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  if (!mechanisms.includes('PLAIN') && mechanisms.includes('LOGIN')) {
    expectReply(await client.send('AUTH LOGIN'), 'AUTH', 3)
    expectReply(await client.send(base64(user)), 'AUTH', 3)
    return expectReply(await client.send(base64(password)), 'AUTH')
  }
  if (!mechanisms.includes('PLAIN') && mechanisms.includes('CRAM-MD5')) {
    const challenge = await client.send('AUTH CRAM-MD5')
    expectReply(challenge, 'AUTH', 3)
    const digest = createHmac('md5', password)
      .update(Buffer.from(challenge.text.slice(4), 'base64'))
      .digest('hex')
    return expectReply(await client.send(base64(`${user} ${digest}`)), 'AUTH')
  }
  expectReply(await client.send(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`), 'AUTH')
}

/** @param accepted the recipients for which an LMTP server says that it has the mail. Undefined for SMTP */
async function transfer(
  { client, extensions }: OpenSession,
  { from, to, raw, needsUtf8, isEightBit }: Transaction,
  rejected: Map<string, RelayError>,
  accepted: Set<string> | undefined,
): Promise<void> {
  const { size, sizeLimit, eightBit, utf8 } = extensions
  if (sizeLimit !== undefined && raw.length > sizeLimit) throw new Error(tooLarge)
  const parameters = [
    ...(isEightBit && eightBit ? [' BODY=8BITMIME'] : []),
    ...(needsUtf8 && utf8 ? [' SMTPUTF8'] : []),
    ...(size ? [` SIZE=${raw.length}`] : []),
  ].join('')
  expectReply(await client.send(`MAIL FROM:<${from}>${parameters}`), 'MAIL FROM')
  for (const address of to) {
    const reply = await client.send(`RCPT TO:<${address}>`)
    if (reply.code >= 400 && reply.code !== 421) rejected.set(address, refusedBy(reply, 'RCPT TO'))
    else expectReply(reply, 'RCPT TO')
  }
  if (rejected.size === to.length) return
  expectReply(await client.send('DATA'), 'DATA', 3)
  let reply = await client.sendData(raw)
  if (accepted === undefined) return expectReply(reply, 'DATA')
  // Over LMTP, each recipient that was not refused before has a reply of its own (RFC 2033, 4.2).
  for (const [at, address] of to.filter(each => !rejected.has(each)).entries()) {
    if (at > 0) reply = await client.read()
    if (reply.code >= 400) rejected.set(address, refusedBy(reply, 'DATA'))
    else {
      expectReply(reply, 'DATA')
      accepted.add(address)
    }
  }
}

/**
 * Checks that the relay accepts a command.
 * @param kind the first digit of an accepting reply. It is 3 when the relay waits for more, such as the mail after DATA
 * @throws RelayError for a reply that refuses the command
 */
function expectReply(reply: ServerReply, command: string, kind: 2 | 3 = 2): void {
  if (reply.code >= 400) throw refusedBy(reply, command)
  // A 2 after DATA could be the reply to an earlier command, and a 3 after the mail does not say that the relay has it.
  if (Math.floor(reply.code / 100) !== kind)
    throw new Error(`it sent a malformed reply to ${command}: ${reply.text}`)
}

function close(socket: Socket | undefined, limit: number): void {
  if (socket === undefined) return
  socket.on('error', () => {}).setTimeout(0)
  if (limit === 0) return void socket.destroy()
  socket.end().resume()
  const timer = setTimeout(() => socket.destroy(), limit).unref()
  socket.once('close', () => clearTimeout(timer))
}

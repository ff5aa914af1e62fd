import type { Socket } from 'node:net'
import type { Clock } from '@signalbox/core'
import type { Intake } from '../api/data/intake.ts'
import type { Reply } from '../api/reply.ts'
import type { MailSettings } from '../config/mail-settings.ts'
import { clientFacts, type StatedClient } from '../filter/client-facts.ts'
import { directionFor } from '../filter/direction.ts'
import type { AnswerMail } from '../filter/filter-answers.ts'
import { answerOf, refusal } from './answer.ts'
import { type ArrivingMail, arrivingMail, type MilterMail } from './arriving-mail.ts'
import { milterChanges } from './content-packets.ts'
import { longest, macros } from './macros.ts'
import type { MilterBounds } from './milter-bounds.ts'
import { type Agreement, agreementOn, agreementPacket, isReplyDue, keepsLeadingSpace } from './negotiation.ts'
import { MalformedPacket, type Packet, packet, packetReader, stringsOf } from './packets.ts'

/** The parts that the sessions of a milter share. */
export interface MilterContext {
  readonly settings: MailSettings
  readonly bounds: MilterBounds
  readonly clock: Clock
  readonly newIntake: () => Intake
  readonly notice: (text: string) => void
  /** Whether mail of a client is outbound because of its address. */
  readonly isOwnAddress: (address: string) => boolean
  readonly answer: AnswerMail
  readonly closed: (session: MilterSession) => void
}

/** The filter's side of the connection of a mail server, which belongs to one connection of a client of this server. */
export interface MilterSession {
  /** The time of the last packet, in milliseconds. */
  readonly lastPacketAt: number
  /** Whether a function decides on a mail of this connection. */
  readonly isDeciding: boolean
  /** Ends the session. If a function decides on a mail, the session ends after the reply. */
  readonly dismiss: () => void
  /** Closes the connection. */
  readonly destroy: () => void
}

/** Serves a connection: docs/decisions/mail.md#milter. */
export function milterSession(socket: Socket, context: MilterContext): MilterSession {
  const { settings, bounds, clock, newIntake } = context
  const reader = packetReader(bounds.packet)
  const values = macros()
  let agreement: Agreement | undefined
  /** What is known about the client of the mail server. */
  let client = unknownClient
  let mail: ArrivingMail | undefined
  /** Whether the mail is outbound because of its client. */
  let isOwnClient = false
  let isDeciding = false
  let isLeaving = false
  let lastPacketAt = clock.now()

  const forgetMail = () => {
    mail?.release()
    mail = undefined
  }

  const opened = (): ArrivingMail => {
    if (mail === undefined) throw new MalformedPacket('An event without a mail')
    return mail
  }

  const located = (path: string) => {
    const { '{rcpt_mailer}': mailer, '{rcpt_addr}': completed } = values.take('R')
    // The mail server completes an address without a domain, such as `postmaster`.
    const address = path.includes('@') || !completed?.includes('@') ? path : completed
    return { address, direction: directionFor(address, { isOwnClient, mailer }, settings) }
  }

  const steps: { readonly [code: string]: (data: Buffer, agreed: Agreement) => void } = {
    D: data => values.set(data),
    C(data, agreed) {
      forgetMail()
      const { '{daemon_name}': daemon, '{client_ptr}': pointer } = values.take('C')
      const isStalwart = daemon?.startsWith('Stalwart') === true
      if (isStalwart) agreement = { ...agreed, isStalwart }
      const { address, name } = connectedClient(data)
      // Stalwart says the name of the greeting when it has looked up none.
      client = { ...unknownClient, address, name: isStalwart ? pointer : name }
    },
    H(data) {
      forgetMail()
      client = { ...client, helo: textOf(stringsOf(data)[0]), tls: values.take('H')['{tls_version}'] }
    },
    M(data, agreed) {
      forgetMail()
      const user = values.take('M')['{auth_authen}']
      isOwnClient = Boolean(user) || context.isOwnAddress(client.address ?? '')
      const facts = clientFacts({ ...client, user })
      mail = arrivingMail(data, newIntake, settings, keepsLeadingSpace(agreed), facts)
    },
    R: data => opened().addRecipient(data, located),
    T: () => void opened(),
    L: data => opened().addHeader(data),
    N: () => opened().endHead(),
    B: data => opened().addBody(data),
    U() {},
    A: forgetMail,
    K() {
      forgetMail()
      values.clear()
      client = unknownClient
    },
  }

  const handle = ({ code, data }: Packet): void => {
    lastPacketAt = clock.now()
    if (code === 'Q') end()
    else if (agreement === undefined) {
      if (code !== 'O') throw new MalformedPacket('An event before the negotiation')
      agreement = agreementOn(data)
      socket.write(agreementPacket(agreement))
    } else if (code === 'E') {
      if (data.length > 0) opened().addBody(data)
      void decide(opened().complete(), opened().release, agreement)
    } else {
      const step = steps[code]
      if (step === undefined) throw new MalformedPacket(`The code ${JSON.stringify(code)}`)
      step(data, agreement)
      if (isReplyDue(code, agreement)) socket.write(packet('c'))
    }
  }

  /**
   * Replies to the end of a mail. The mail server sends nothing until then.
   * @param release frees the memory of the mail
   */
  const decide = async (whole: MilterMail | Reply, release: () => void, agreed: Agreement) => {
    isDeciding = true
    mail = undefined
    socket.pause()
    let cancelProgress = () => {}
    const showProgress = () => {
      cancelProgress = clock.after(bounds.progress, () => {
        socket.write(packet('p'))
        showProgress()
      })
    }
    showProgress()
    if ('code' in whole) release()
    // The memory of a mail is in use until its functions have ended, even if the mail server had its answer before.
    const { packets } =
      'code' in whole
        ? refusal(whole, agreed)
        : await context.answer(
            { ...whole, changes: milterChanges(whole.raw, agreed) },
            conclusion => answerOf(conclusion, agreed, whole),
            release,
          )
    cancelProgress()
    isDeciding = false
    if (socket.destroyed) return
    socket.write(Buffer.concat(packets))
    if (isLeaving) return end()
    proceed()
  }

  /** Handles the packets that have arrived, until a mail is being decided on or the mail server does not read replies. */
  const proceed = () => {
    try {
      while (!isDeciding && !isLeaving && !socket.writableNeedDrain) {
        const next = reader.next()
        if (next === undefined) return void socket.resume()
        handle(next)
      }
    } catch (error) {
      if (!(error instanceof MalformedPacket)) context.notice(`mail: the milter failed: ${String(error)}`)
      return session.destroy()
    }
    if (!isDeciding && !isLeaving) {
      socket.pause()
      socket.once('drain', proceed)
    }
  }

  const end = () => {
    isLeaving = true
    forgetMail()
    socket.end()
    socket.resume()
  }

  const session: MilterSession = {
    get lastPacketAt() {
      return lastPacketAt
    },
    get isDeciding() {
      return isDeciding
    },
    dismiss() {
      isLeaving = true
      if (!isDeciding) session.destroy()
    },
    destroy: () => void socket.destroy(),
  }

  socket.setNoDelay(true)
  socket.setTimeout(bounds.idle, () => {
    if (!isDeciding) session.destroy()
  })
  // Errors only show that the mail server has disconnected.
  socket.on('error', () => {})
  socket.on('close', () => {
    forgetMail()
    context.closed(session)
  })
  socket.on('data', chunk => {
    if (isLeaving) return
    reader.add(chunk)
    proceed()
  })
  return session
}

const unknownClient: StatedClient = {
  ...{ address: undefined, name: undefined, helo: undefined, tls: undefined, user: undefined },
}

/** Returns the text of a string of an event, unless it is too long for a name. */
function textOf(bytes: Buffer | undefined): string | undefined {
  return bytes === undefined || bytes.length > longest ? undefined : bytes.toString()
}

/** Returns what the event of a connection says about its client. A client on a Unix socket has no address. */
function connectedClient(data: Buffer): Pick<StatedClient, 'address' | 'name'> {
  const nameEnd = data.indexOf(0)
  if (nameEnd < 0 || nameEnd + 1 >= data.length) throw new MalformedPacket('A client without a family')
  const family = String.fromCharCode(data[nameEnd + 1]!)
  const name = textOf(data.subarray(0, nameEnd))
  if (family === 'U') return { address: undefined, name }
  const [address] = stringsOf(data.subarray(nameEnd + 4))
  if (address === undefined) throw new MalformedPacket('A client without an address')
  return { address: family === 'L' ? undefined : address.toString('latin1').replace(/^IPv6:/i, ''), name }
}

import type { Clock } from '@signalbox/core'
import type { Bounds } from '../connections/bounds.ts'
import type { Wire } from '../connections/wire.ts'
import { type Reply, replyLines } from '../reply.ts'
import type { Intake } from './intake.ts'
import { type TransferredMail, toAll } from './take-mail.ts'

/** The parts of a listener that a transfer needs. */
export interface TransferContext {
  readonly bounds: Pick<Bounds, 'duration'>
  readonly clock: Clock
  readonly newIntake: () => Intake
  /** Decides on a mail, stores it, and returns the replies to its client. */
  readonly take: (mail: TransferredMail) => Promise<readonly Reply[]>
}

/** The connection on which a mail is transferred. */
interface Connection {
  readonly isClosing: boolean
  /** Ends the connection with a reply. */
  readonly end: (reply: Reply) => void
}

/** Transfers the mails of one connection, one after the other. */
export interface MailTransfer {
  /** Whether a mail is being transferred, decided on or stored. */
  readonly isReceiving: boolean
  readonly isStoring: boolean
  /**
   * Receives the mail of a DATA command and stores it. The result is undefined if the connection ended in the
   * meantime.
   */
  readonly receive: (wire: Wire, mail: Omit<TransferredMail, 'take'>) => Promise<readonly Reply[] | undefined>
}

/** The reply when a client disconnects in the middle of a command or mail. */
export const cutOff: Reply = {
  code: 451,
  text: '4.4.2 Input ended in the middle of a command or mail',
  closes: true,
}

/** Receives and stores the mails of one connection. Each transfer has a time limit. */
export function mailTransfer(
  { bounds, clock, newIntake, take }: TransferContext,
  connection: Connection,
): MailTransfer {
  const transfer = {
    isReceiving: false,
    isStoring: false,
    async receive(wire: Wire, mail: Omit<TransferredMail, 'take'>) {
      const intake = newIntake()
      transfer.isReceiving = true
      const cancelDuration = clock.after(bounds.duration, () => {
        intake.release()
        connection.end({ code: 421, text: '4.4.2 Mail transfer takes too long' })
      })
      try {
        await wire.write(replyLines(354, ['End data with <CR><LF>.<CR><LF>']))
        const isWhole = await wire.readData(content => {
          const reply = intake.add(content)
          if (reply !== undefined) connection.end(reply)
        })
        cancelDuration()
        if (connection.isClosing) return undefined
        if (!isWhole) return [cutOff]
        const refusal = intake.refusal()
        if (refusal !== undefined) return toAll(refusal, mail)
        transfer.isStoring = true
        return await take({ ...mail, take: intake.take })
      } finally {
        cancelDuration()
        intake.release()
        transfer.isReceiving = false
        transfer.isStoring = false
      }
    },
  }
  return transfer
}

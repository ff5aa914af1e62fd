import { sourceRoute } from '../api/commands/path-command.ts'
import type { Intake } from '../api/data/intake.ts'
import type { Reply } from '../api/reply.ts'
import type { MailSettings } from '../config/mail-settings.ts'
import { type FilteredMail, type FilteredRecipient, recipientList } from '../filter/filtered-mail.ts'
import { spamFlag } from '../message/spam-flag.ts'
import type { MailFacts } from '../store/mail-facts.ts'
import { MalformedPacket, stringsOf } from './packets.ts'

/** A mail that has arrived as a whole. The paths of its recipients are as the client wrote them, with angle brackets. */
export type MilterMail = Omit<FilteredMail<Buffer>, 'changes'>

/** A mail of which the mail server has announced the sender. */
export interface ArrivingMail {
  readonly addRecipient: (data: Buffer, about: (address: string) => Located) => void
  readonly addHeader: (data: Buffer) => void
  readonly endHead: () => void
  readonly addBody: (data: Buffer) => void
  /** Returns the mail, or the reply that refuses it. */
  readonly complete: () => MilterMail | Reply
  /** Forgets the mail, and frees its memory. */
  readonly release: () => void
}

/** A recipient with a domain, and its direction. */
type Located = Pick<FilteredRecipient<Buffer>, 'address' | 'direction'>

/** A step of a mail that another one cannot follow, such as a header after the body. */
type Stage = 'envelope' | 'head' | 'body'

/** The maximum number of bytes of an address with its parameters. Mail servers allow lines of 2048 bytes. */
const longestPath = 4096

const lineEnd = Buffer.from('\r\n')

/**
 * Begins a mail.
 * @param data the data of the event of the sender: the path and its parameters
 * @param keepsSpace whether the values of headers have the space after the colon
 * @param facts what is known about the client
 */
export function arrivingMail(
  data: Buffer,
  newIntake: () => Intake,
  settings: Pick<MailSettings, 'maxRecipients' | 'rules'>,
  keepsSpace: boolean,
  facts: MailFacts | undefined,
): ArrivingMail {
  const { path, parameters } = pathOf(data)
  const from = addressOf(path)
  const utf8 = parameters.some(each => each.toString('latin1').toUpperCase() === 'SMTPUTF8')
  const list = recipientList<Buffer>(settings, (one, other) => one.equals(other))
  const intake = newIntake()
  let stage: Stage = 'envelope'
  let flags = 0
  let isFlagged = false

  const enter = (next: Stage, ...before: readonly Stage[]) => {
    if (!before.includes(stage) || list.isEmpty()) throw new MalformedPacket('An event out of order')
    stage = next
  }
  const add = (bytes: Buffer) => void intake.add(bytes)

  return {
    addRecipient(data, about) {
      if (stage !== 'envelope') throw new MalformedPacket('A recipient after the head')
      // The bytes of a packet are only valid until the next one.
      const path = Buffer.from(pathOf(data).path)
      list.add(about(addressOf(path)), path)
    },

    addHeader(data) {
      enter('head', 'envelope', 'head')
      const [name, value] = stringsOf(data)
      if (name === undefined || value === undefined) throw new MalformedPacket('A header without a value')
      if (name.toString('latin1').trimEnd().toLowerCase() === spamFlag) {
        flags++
        isFlagged ||= value.toString('latin1', 0, 80).trim().toLowerCase() === 'yes'
      }
      add(Buffer.concat([name, Buffer.from(keepsSpace ? ':' : ': '), withCrlf(value), lineEnd]))
    },

    endHead() {
      enter('body', 'envelope', 'head')
      add(lineEnd)
    },

    addBody(data) {
      enter('body', 'body')
      // The packet shares its memory with others, which would stay in use with it.
      if (data.length > 0) add(Buffer.from(data))
    },

    complete() {
      if (stage === 'head') add(lineEnd)
      enter('body', 'head', 'body')
      return (
        list.refusal() ??
        intake.refusal() ?? {
          ...{ from, utf8, facts, recipients: list.recipients() },
          raw: intake.take(Buffer.alloc(0)),
          spamFlags: { count: flags, isSet: isFlagged },
        }
      )
    },

    release: intake.release,
  }
}

function pathOf(data: Buffer): { readonly path: Buffer; readonly parameters: readonly Buffer[] } {
  if (data.length > longestPath) throw new MalformedPacket('A path that is too long')
  const [path, ...parameters] = stringsOf(data)
  if (path === undefined) throw new MalformedPacket('An event without a path')
  return { path, parameters }
}

/** Returns the address in a path, such as `<ann@office.example>`. */
function addressOf(path: Buffer): string {
  const text = path.toString().trim()
  return (/^<(.*)>$/s.exec(text)?.[1] ?? text).replace(sourceRoute, '')
}

/** Returns a value with the line ends that it had on the way to the mail server. */
function withCrlf(value: Buffer): Buffer {
  if (!value.includes('\n')) return value
  return Buffer.from(value.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
}

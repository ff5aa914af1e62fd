import type { Reply } from '../api/reply.ts'
import { type MailChanges, noRecipientChanges, oneLine, withoutStatus } from '../filter/conclusion.ts'
import { contentProblem, textProblem } from '../filter/content-problem.ts'
import { flagName, type SpamFlagChange } from '../filter/spam-flag-change.ts'
import { mailDifference, mailParts } from '../message/mail-difference.ts'
import { spamFlagsOf } from '../message/spam-flag.ts'
import { type Hook, type HookAnswer, type HookRequest, MalformedRequest, type StatedMail } from './hook.ts'
import { needUtf8, statedAddress, statedRecipient } from './stated-mail.ts'

/**
 * `POST /checkv2` as the clients of rspamd know it, such as the plugin of Haraka and `filter-rspamd` of OpenSMTPD. These
 * clients read the action of an answer whatever its status of HTTP, so that each answer has one. They know neither a
 * discarded mail nor changes of recipients.
 */
export const rspamdHook: Hook = {
  method: 'POST',
  path: /^\/checkv2$/,
  read(request) {
    if (request.headers.compression !== undefined)
      throw new MalformedRequest('The body is compressed. Send it as it is.')
    const mail = mailOf(request)
    return {
      mail,
      contentProblem: content => replyProblem(mail.raw, content),
      say(conclusion) {
        if (conclusion.kind === 'refused') return refuse(conclusion.reply)
        // A client that does not know the action `discard` would deliver the mail.
        if (conclusion.kind === 'dropped') return refuse(refusedForAll)
        if (conclusion.added.length > 0) return refuse(noRecipientChanges)
        if (conclusion.removed.length > 0) return refuse(refusedForSome)
        return accept(mail, conclusion)
      },
    }
  },
  refuse,
  fail: (status, message) => ({
    ...refuse(
      { code: 451, text: '4.3.0 The mail cannot be checked now, try again later' },
      { error: message },
    ),
    status,
  }),
}

const refusedForAll: Reply = { code: 550, text: '5.7.1 The mail was refused' }

const refusedForSome: Reply = {
  code: 550,
  text: '5.7.1 The mail was not delivered to anyone, because it is refused for some recipients',
}

function mailOf({ distinct, body }: HookRequest): StatedMail {
  const values = (name: string) =>
    // Node reads headers as Latin-1, and clients write them in UTF-8.
    (distinct[name] ?? []).map(value => Buffer.from(value, 'latin1').toString())
  const [from = ''] = values('from')
  const rcpt = values('rcpt')
  const to = (rcpt.length > 0 ? rcpt : values('deliver-to')).map(each => statedRecipient(each, 'Rcpt'))
  if (to.length === 0) throw new MalformedRequest('The header Rcpt is missing.')
  const sender = statedAddress(from, 'From')
  return {
    ...{ from: sender, to, utf8: needUtf8([sender, ...to]) },
    client: {
      address: values('ip')[0],
      name: values('hostname')[0],
      helo: values('helo')[0],
      tls: values('tls-version')[0],
      user: values('user')[0],
    },
    raw: withCrlf(body),
  }
}

/** Returns a mail with the line ends of SMTP. OpenSMTPD hands it over with line feeds, and without the last one. */
function withCrlf(raw: Buffer): Buffer {
  const first = raw.indexOf('\n')
  if (first < 0 || raw[first - 1] === 0x0d) return raw
  const text = raw.toString('latin1').replace(/\r?\n/g, '\r\n')
  return Buffer.from(text.endsWith('\n') ? text : `${text}\r\n`, 'latin1')
}

/** The scores at which rspamd adds headers and rejects mail by default. A function decides without scores. */
const [scoreOfJunk, requiredScore] = [6, 15]

/** Returns the answer to a mail that goes on. Headers are removed with the spelling of the mail, because OpenSMTPD compares it. */
function accept({ raw }: StatedMail, { spamFlag, content }: MailChanges<number>): HookAnswer {
  const { removed, added } = content === undefined ? flagHeaders(raw, spamFlag) : changedHeaders(raw, content)
  const milter = {
    ...(removed.length > 0 && { remove_headers: Object.fromEntries(removed.map(name => [name, 0])) }),
    ...(added.length > 0 && { add_headers: Object.fromEntries(added) }),
  }
  const more = Object.keys(milter).length === 0 ? {} : { milter }
  return spamFlag.isAdded
    ? answer('add header', scoreOfJunk, { symbols: symbol('MOVE_TO_JUNK', scoreOfJunk), ...more }, true)
    : answer('no action', 0, more, true)
}

interface HeaderNames {
  /** The names whose headers are removed, all of each. */
  readonly removed: readonly string[]
  /** The names and values of the headers that are added then, one of each. */
  readonly added: readonly (readonly [string, string])[]
}

function flagHeaders(raw: Buffer, { removesAll, isAdded }: SpamFlagChange): HeaderNames {
  return {
    removed: removesAll ? spamFlagsOf(raw).map(({ name }) => name) : [],
    added: isAdded ? [[flagName, 'YES']] : [],
  }
}

/** Returns the headers whose names have other values in a new content: all old ones are removed, and the new ones are added. */
function changedHeaders(before: Buffer, after: Buffer): HeaderNames {
  const changed = new Set(mailDifference(before, after)!.headers.map(({ name }) => name.toLowerCase()))
  const headersOf = (raw: Buffer) =>
    mailParts(raw)!.headers.filter(({ name }) => changed.has(name.toLowerCase()))
  return {
    removed: headersOf(before).map(({ name }) => name),
    added: headersOf(after).map(({ name, value }) => [name, textOf(value)]),
  }
}

/** Returns a value as clients write it behind the colon and a space. OpenSMTPD ends lines with a line feed. */
function textOf(value: string): string {
  return Buffer.from(value.replace(/^ /, '').replaceAll('\r\n', '\n'), 'latin1').toString()
}

/** Returns the reason why an answer cannot say a new content, as a sentence. */
function replyProblem(before: Buffer, after: Buffer): string | undefined {
  const problem = contentProblem(before, after) ?? textProblem(before, after)
  if (problem !== undefined) return problem
  if (mailDifference(before, after)?.body !== undefined)
    return 'The mail server that asked lets its filter change headers only, and no body.'
  const names = changedHeaders(before, after).added.map(([name]) => name.toLowerCase())
  // OpenSMTPD leaves out a list of values.
  return new Set(names).size < names.length
    ? 'The mail server that asked can add one header of a name only, and the changed mail has several.'
    : undefined
}

function refuse(reply: Reply, more: object = {}): HookAnswer {
  const isLater = reply.code < 500
  const score = isLater ? 0 : requiredScore
  const symbols = isLater ? {} : symbol('BOUNCE', score)
  // Clients add a status code of their own.
  const messages = { smtp_message: withoutStatus(oneLine(reply)) }
  return answer(isLater ? 'soft reject' : 'reject', score, { symbols, messages, ...more }, false)
}

function symbol(action: string, score: number): object {
  const name = `SIGNALBOX_${action}`
  return { [name]: { name, score, metric_score: score, description: 'A function decided so' } }
}

function answer(action: string, score: number, more: object, isAccepted: boolean): HookAnswer {
  const body = {
    ...{ is_skipped: false, action, score, required_score: requiredScore },
    ...{ symbols: {}, messages: {}, ...more },
  }
  return { status: 200, body, isAccepted }
}

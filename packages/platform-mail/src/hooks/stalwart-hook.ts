import type { Reply } from '../api/reply.ts'
import { type MailChanges, oneLine } from '../filter/conclusion.ts'
import { flagName, type SpamFlagChange } from '../filter/spam-flag-change.ts'
import { stalwartHeaders, stalwartProblem } from '../filter/stalwart-headers.ts'
import { mailDifference } from '../message/mail-difference.ts'
import { spamFlagsOf } from '../message/spam-flag.ts'
import { type Hook, type HookAnswer, MalformedRequest, type StatedMail } from './hook.ts'
import { type JsonObject, jsonBody, listIn, objectIn, textIn } from './json-body.ts'
import { jsonEnvelope } from './json-envelope.ts'

/**
 * The MTA hook of Stalwart 0.16, which its documents describe (MTA hooks: request, response). It asks at each stage that is
 * configured; functions decide at the stage `data`, when the whole mail is there.
 */
export const stalwartHook: Hook = {
  method: 'POST',
  path: /^\/stalwart$/,
  mediaType: 'application/json',
  changesRecipients: true,
  read({ body }) {
    const request = jsonBody(body)
    const context = objectIn(request, 'context')
    const stage = textIn(context, 'stage')
    if (stage === undefined) throw new MalformedRequest('/context/stage is not a text.')
    if (stage.toLowerCase() !== 'data') return accept([])
    const mail = mailOf(request, context)
    return {
      mail,
      contentProblem: content => stalwartProblem(mail.raw, content),
      say(conclusion) {
        if (conclusion.kind === 'refused') return refuse(conclusion.reply)
        if (conclusion.kind === 'dropped') return answer({ action: 'discard' }, true)
        return accept(modifications(mail, conclusion))
      },
    }
  },
  refuse,
  fail: (status, message) => ({ status, body: { error: message }, isAccepted: false }),
}

function mailOf(request: JsonObject, context: JsonObject): StatedMail {
  const client = objectIn(context, 'client')
  return {
    ...jsonEnvelope(request),
    client: {
      address: textIn(client, 'ip'),
      name: textIn(client, 'ptr'),
      // The documents say `ehlo`, and the server sends `helo`.
      helo: textIn(client, 'helo') ?? textIn(client, 'ehlo'),
      tls: textIn(objectIn(context, 'tls'), 'version'),
      user: textIn(objectIn(context, 'sasl'), 'login'),
    },
    raw: rawOf(objectIn(request, 'message')),
  }
}

/** Returns the mail of which the request has the headers and the contents. Values can have the space and the line end around them. */
function rawOf(message: JsonObject): Buffer {
  const contents = textIn(message, 'contents')
  if (contents === undefined) throw new MalformedRequest('/message/contents is not a text.')
  const lines = listIn(message, 'headers', '/message/headers').map((header, at) => {
    const [name, value] = Array.isArray(header) ? (header as readonly unknown[]) : []
    if (typeof name !== 'string' || typeof value !== 'string')
      throw new MalformedRequest(`/message/headers/${at} is not a name and a value.`)
    return `${name}:${/^\s/.test(value) ? '' : ' '}${value.replace(/\r?\n$/, '')}\r\n`
  })
  return Buffer.from(`${lines.join('')}\r\n${contents}`)
}

/** Returns the changes in the words of Stalwart, which counts headers of a name from 1. The last flag is removed first. */
function modifications(
  mail: StatedMail,
  { removed, added, spamFlag, content }: MailChanges<number>,
): readonly object[] {
  return [
    ...removed.flatMap(({ paths }) => paths).map(at => ({ type: 'deleteRecipient', value: mail.to[at] })),
    ...added.map(value => ({ type: 'addRecipient', value })),
    ...(content === undefined ? flagChanges(mail, spamFlag) : contentChanges(mail.raw, content)),
  ]
}

function flagChanges(mail: StatedMail, spamFlag: SpamFlagChange): readonly object[] {
  const count = spamFlag.removesAll ? spamFlagsOf(mail.raw).length : 0
  return [
    ...Array.from({ length: count }, (_, at) => ({
      type: 'deleteHeader',
      index: count - at,
      name: flagName,
    })),
    ...(spamFlag.isAdded ? [{ type: 'addHeader', name: flagName, value: 'YES' }] : []),
  ]
}

function contentChanges(before: Buffer, after: Buffer): readonly object[] {
  const { headers, body } = mailDifference(before, after)!
  return [
    ...stalwartHeaders(headers).map(({ kind, index, name, value }) => ({
      ...{ type: `${kind}Header`, index, name },
      ...(kind !== 'delete' && { value: Buffer.from(value, 'latin1').toString() }),
    })),
    ...(body === undefined ? [] : [{ type: 'replaceContents', value: body.toString() }]),
  ]
}

function accept(modifications: readonly object[]): HookAnswer {
  return answer({ action: 'accept', modifications }, true)
}

/**
 * Returns a refusal. Its text begins with the enhanced status code, because the documents and the server have different names
 * for a field with this code.
 */
function refuse(reply: Reply): HookAnswer {
  return answer({ action: 'reject', response: { status: reply.code, message: oneLine(reply) } }, false)
}

function answer(body: object, isAccepted: boolean): HookAnswer {
  return { status: 200, body, isAccepted }
}

import type { Reply } from '../api/reply.ts'
import { type MailChanges, oneLine, withoutStatus } from '../filter/conclusion.ts'
import { flagName } from '../filter/spam-flag-change.ts'
import { spamFlagsOf } from '../message/spam-flag.ts'
import { type Hook, type HookAnswer, MalformedRequest, type StatedMail } from './hook.ts'
import { type JsonObject, jsonBody, objectIn, textIn } from './json-body.ts'
import { jsonEnvelope } from './json-envelope.ts'

/** The paths of draft-degennaro-mta-hooks-01. A later version has paths of its own. */
export const mtaHooksPaths = { registration: '/mta-hooks/01/register', hook: '/mta-hooks/01/hooks' } as const

/** The properties that a hook needs, and further ones that it reads. Without a subscription, the MTA sends none. */
export const mtaHooksProperties = {
  required: ['/stage', '/action', '/rawMessage', '/envelope'],
  optional: ['/timestamp', '/protocol', '/queue', '/client', '/tls', '/auth', '/server'],
} as const

/**
 * The stage `data` of draft-degennaro-mta-hooks-01 in JSON, as the milter bridge and the front end of rspamd speak it: a
 * request has the raw mail, and an answer the operations `set`, `add` and `delete` with JSON pointers. They take effect in
 * this order.
 */
export const mtaHook: Hook = {
  method: 'POST',
  path: new RegExp(`^${mtaHooksPaths.hook}/(?<id>[\\w:-]{1,255})$`),
  mediaType: 'application/json',
  changesRecipients: true,
  read({ names, headers, body }) {
    if (headers['x-mta-hooks-registration'] !== names.id)
      throw new MalformedRequest('X-MTA-Hooks-Registration is not the registration of the path.')
    const request = jsonBody(body)
    if (request.stage !== 'data') throw new MalformedRequest('/stage is not data.')
    const mail = mailOf(request)
    return {
      mail,
      contentProblem: () => undefined,
      say(conclusion) {
        if (conclusion.kind === 'refused') return refuse(conclusion.reply)
        if (conclusion.kind === 'dropped') return operations({ set: [action('discard')] }, true)
        return operations(changes(mail, conclusion), true)
      },
    }
  },
  refuse,
  fail: mtaHooksFailure,
}

/** The codes of errors, by the status of HTTP. */
const codes: { readonly [status: number]: string } = {
  400: 'INVALID_REQUEST',
  401: 'INVALID_CREDENTIALS',
  413: 'REQUEST_TOO_LARGE',
  415: 'INVALID_REQUEST',
  503: 'SCANNER_UNAVAILABLE',
}

/** Returns the answer to a request that cannot be served. */
export function mtaHooksFailure(status: number, message: string): HookAnswer {
  return {
    status,
    ...(status === 503 && { headers: { 'retry-after': '1' } }),
    body: { error: { code: codes[status] ?? 'INVALID_REQUEST', message } },
    isAccepted: false,
  }
}

function mailOf(request: JsonObject): StatedMail {
  const client = objectIn(request, 'client')
  return {
    ...jsonEnvelope(request),
    client: {
      address: textIn(client, 'ip'),
      name: textIn(client, 'ptr'),
      helo: textIn(client, 'ehlo'),
      tls: textIn(objectIn(request, 'tls'), 'version'),
      user: textIn(objectIn(request, 'auth'), 'login'),
    },
    raw: rawOf(textIn(request, 'rawMessage')),
  }
}

function rawOf(text: string | undefined): Buffer {
  const raw = Buffer.from(text ?? '', 'base64')
  const padding = text === undefined ? 0 : /={0,2}$/.exec(text.slice(-2))![0].length
  // The decoder leaves out characters that do not belong there.
  if (text === undefined || text.length % 4 !== 0 || raw.length !== (text.length / 4) * 3 - padding)
    throw new MalformedRequest('/rawMessage is not base64.')
  return raw
}

const action = (value: string) => ({ path: '/action', value })

/**
 * Returns the operations for a mail that goes on. What is added comes last, and deletions begin with the last element, so
 * that the positions of the request hold.
 */
function changes(mail: StatedMail, { removed, added, spamFlag, content }: MailChanges<number>): Operations {
  const hasFlag = content === undefined && spamFlag.isAdded
  const flags =
    content === undefined && spamFlag.removesAll ? spamFlagsOf(mail.raw).map(({ position }) => position) : []
  const recipients = removed.flatMap(({ paths }) => paths)
  return {
    // A whole mail keeps all its bytes, which texts of single headers cannot.
    set: content === undefined ? [] : [{ path: '/rawMessage', value: content.toString('base64') }],
    add: [
      ...added.map(address => ({ path: '/envelope/to', value: { address, parameters: {} } })),
      ...(hasFlag ? [{ path: '/message/headers', value: { name: flagName, value: 'YES' } }] : []),
    ],
    delete: [
      ...descending(recipients).map(at => ({ path: `/envelope/to/${at}` })),
      ...descending(flags).map(at => ({ path: `/message/headers/${at}` })),
    ],
  }
}

const descending = (positions: readonly number[]) => [...positions].sort((one, other) => other - one)

function refuse(reply: Reply): HookAnswer {
  const text = oneLine(reply)
  const message = withoutStatus(text)
  const enhancedCode = text.slice(0, text.length - message.length).trim()
  const value = { code: reply.code, ...(enhancedCode !== '' && { enhancedCode }), message }
  return operations({ set: [action('reject'), { path: '/response', value }] }, false)
}

interface Operations {
  readonly set?: readonly object[]
  readonly add?: readonly object[]
  readonly delete?: readonly object[]
}

/** Returns an answer with operations. The one without operations has no body. */
function operations(all: Operations, isAccepted: boolean): HookAnswer {
  const body = Object.fromEntries(Object.entries(all).filter(([, list]) => list.length > 0))
  return Object.keys(body).length === 0 ? { status: 204, isAccepted } : { status: 200, body, isAccepted }
}

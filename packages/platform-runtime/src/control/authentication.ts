import type { IncomingMessage } from 'node:http'
import type { Access } from '../access/access.ts'
import { outsideRefusal, servesWithoutKey } from '../listener/this-machine.ts'
import { type Answer, plainText, tooMany } from './answer.ts'
import type { FunctionTokens } from './function-tokens.ts'

/** What identifies clients. Without `access`, clients need no key. */
export interface Authentication {
  readonly access: Access | undefined
  readonly tokens: FunctionTokens | undefined
  /** Whether everyone needs no key, as long as there is no `access`. */
  readonly open: boolean
}

/** What a client asks for, and the right that it needs. */
interface Demand {
  readonly collection: string
  readonly right: string
  /** What the access log names, such as `mail/m-1`. */
  readonly resource: string
  /** Returns whether the token of a function is enough. */
  readonly isFor: (functionName: string) => boolean
  /** The answer to a client whose key lacks the right. */
  readonly refusal: string
  /** Whether the access log has only the refused requests, because a program repeats the others all the time. */
  readonly isRoutine?: boolean
}

/** Refuses a client without a key that has the right. Returns undefined for a client that may go on. */
export function refusalOf(
  request: IncomingMessage,
  { access, tokens, open }: Authentication,
  { collection, right, resource, isFor, refusal, isRoutine = false }: Demand,
): Answer | undefined {
  if (access === undefined)
    return servesWithoutKey(request, open) ? undefined : plainText(403, outsideRefusal)
  const { headers, socket, method = 'GET' } = request
  const functionName = tokens?.functionOf(headers.authorization)
  const address = socket.remoteAddress ?? ''
  const found = functionName === undefined ? access.bearer(headers.authorization, address) : undefined
  const identity = found === 'throttled' ? undefined : found
  const isAllowed =
    functionName === undefined ? identity?.may(collection, right, '*') === true : isFor(functionName)
  const isKnown = functionName !== undefined || identity !== undefined
  const entry = {
    identity: functionName === undefined ? identity?.name : `function ${functionName}`,
    source: 'control',
    operation: method === 'HEAD' ? 'GET' : method,
    resource: isKnown ? resource : undefined,
    result: isAllowed
      ? 'allowed'
      : isKnown
        ? 'denied'
        : found === 'throttled'
          ? 'Throttled'
          : 'no valid token',
    address,
  }
  if (!isAllowed || !isRoutine) access.log.add(entry)
  const seconds = isAllowed ? (identity?.admit(0) ?? 0) : 0
  if (seconds > 0) return tooMany(seconds)
  if (isAllowed) return undefined
  if (isKnown) return plainText(403, refusal)
  if (found === 'throttled') return plainText(429, 'Too many failed authentications. Try again later.')
  const how = 'Send a key: Authorization: Bearer ID.SECRET, or the token in SIGNALBOX_CONTROL_TOKEN.'
  return { ...plainText(401, how), headers: { 'www-authenticate': 'Bearer' } }
}

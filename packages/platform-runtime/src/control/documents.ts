import type { IncomingMessage } from 'node:http'
import type { Access } from '../access/access.ts'
import { hasOwnHost } from '../listener/own-host.ts'
import { outsideRefusal, servesWithoutKey } from '../listener/this-machine.ts'
import { type Answer, plainText, tooMany } from './answer.ts'
import type { FunctionTokens } from './function-tokens.ts'

/** Documents of a source, which clients read by id: `GET /{collection}/{id}`. */
export interface ControlRoute {
  /** The first part of the path, such as `mail`. */
  readonly collection: string
  /** The media type of the documents. */
  readonly mediaType: string
  /** Returns a document. Returns undefined for an unknown id. Rejects while documents cannot be read. */
  readonly fetch: (id: string) => Promise<Buffer | undefined>
  /**
   * Returns whether a function is handling an event about this document. The function's own token then gives access to
   * the document.
   */
  readonly isFor?: (id: string, functionName: string) => boolean
}

/** The address and the names of the listener. */
export interface OwnNames {
  readonly host: string
  /** Further names that the Host header can contain. */
  readonly names: readonly string[]
}

/** What identifies clients. Without `access`, clients need no key. */
interface Authentication {
  readonly access: Access | undefined
  readonly tokens: FunctionTokens | undefined
  /** Whether everyone needs no key, as long as there is no `access`. */
  readonly open: boolean
}

/** Returns the answer to a request for a document. */
export async function answerTo(
  request: IncomingMessage,
  { host, names }: OwnNames,
  authentication: Authentication,
  routes: readonly ControlRoute[],
): Promise<Answer> {
  const { headers, method, url = '' } = request
  if (!hasOwnHost(request, host, names)) return plainText(400, 'The Host header must name this machine.')
  if (headers.origin !== undefined || !['none', undefined].includes(headers['sec-fetch-site'] as string))
    return plainText(403, 'Web pages may not use the control address.')
  const [, collection, id] = /^\/([^/?]+)\/([^/?]+)$/.exec(url) ?? []
  const route = routes.find(each => each.collection === collection)
  if (route === undefined || id === undefined)
    return plainText(
      404,
      `The only paths are ${[...routes.map(each => `/${each.collection}/{id}`), '/livez', '/readyz'].map(path => `GET ${path}`).join(', ')}.`,
    )
  if (method !== 'GET' && method !== 'HEAD')
    return { ...plainText(405, `A ${collection} can only be read.`), headers: { allow: 'GET, HEAD' } }
  try {
    const name = decodeURIComponent(id)
    const refused = refuseUnknown(request, authentication, route, name)
    if (refused !== undefined) return refused
    const raw = await route.fetch(name)
    if (raw === undefined) return plainText(404, `There is no ${collection} with this id, or it was deleted.`)
    return { status: 200, body: raw, headers: { 'content-type': route.mediaType } }
  } catch (error) {
    if (error instanceof URIError) return plainText(404, `There is no ${collection} with this id.`)
    return plainText(503, `The ${collection} cannot be read at the moment.`)
  }
}

/** Refuses a client without a key for this document. */
function refuseUnknown(
  request: IncomingMessage,
  { access, tokens, open }: Authentication,
  { collection, isFor }: ControlRoute,
  id: string,
): Answer | undefined {
  if (access === undefined)
    return servesWithoutKey(request, open) ? undefined : plainText(403, outsideRefusal)
  const { headers, socket } = request
  const functionName = tokens?.functionOf(headers.authorization)
  const address = socket.remoteAddress ?? ''
  const found = functionName === undefined ? access.bearer(headers.authorization, address) : undefined
  const identity = found === 'throttled' ? undefined : found
  const isAllowed =
    functionName === undefined
      ? identity?.may(collection, 'read', '*') === true
      : isFor?.(id, functionName) === true
  const isKnown = functionName !== undefined || identity !== undefined
  access.log.add({
    identity: functionName === undefined ? identity?.name : `function ${functionName}`,
    source: 'control',
    operation: 'GET',
    resource: isKnown ? `${collection}/${id}` : undefined,
    result: isAllowed
      ? 'allowed'
      : isKnown
        ? 'denied'
        : found === 'throttled'
          ? 'Throttled'
          : 'no valid token',
    address,
  })
  const seconds = isAllowed ? (identity?.admit(0) ?? 0) : 0
  if (seconds > 0) return tooMany(seconds)
  if (isAllowed) return undefined
  if (isKnown) return plainText(403, `This key does not open this ${collection}.`)
  if (found === 'throttled') return plainText(429, 'Too many failed authentications. Try again later.')
  const how = 'Send a key: Authorization: Bearer ID.SECRET, or the token in SIGNALBOX_CONTROL_TOKEN.'
  return { ...plainText(401, how), headers: { 'www-authenticate': 'Bearer' } }
}

import type { IncomingMessage } from 'node:http'
import { hasOwnHost } from '../listener/own-host.ts'
import { type Answer, plainText } from './answer.ts'
import { type Authentication, refusalOf } from './authentication.ts'

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

/** Refuses requests from web pages, and those that a web page can make a browser send (DNS rebinding). */
export function webPageRefusal(request: IncomingMessage, { host, names }: OwnNames): Answer | undefined {
  const { headers } = request
  if (!hasOwnHost(request, host, names)) return plainText(400, 'The Host header must name this machine.')
  if (headers.origin !== undefined || !['none', undefined].includes(headers['sec-fetch-site'] as string))
    return plainText(403, 'Web pages may not use the control address.')
  return undefined
}

/** Returns the answer to a request for a document. */
export async function answerTo(
  request: IncomingMessage,
  authentication: Authentication,
  routes: readonly ControlRoute[],
  otherPaths: readonly string[],
): Promise<Answer> {
  const { method, url = '' } = request
  const [, collection = '', id] = /^\/([^/?]+)\/([^/?]+)$/.exec(url) ?? []
  const route = routes.find(each => each.collection === collection)
  if (route === undefined || id === undefined)
    return plainText(
      404,
      `The only paths are ${[...routes.map(each => `/${each.collection}/{id}`), ...otherPaths].map(path => `GET ${path}`).join(', ')}.`,
    )
  if (method !== 'GET' && method !== 'HEAD')
    return { ...plainText(405, `A ${collection} can only be read.`), headers: { allow: 'GET, HEAD' } }
  try {
    const name = decodeURIComponent(id)
    const refused = refusalOf(request, authentication, {
      ...{ collection, right: 'read', resource: `${collection}/${name}` },
      isFor: functionName => route.isFor?.(name, functionName) === true,
      refusal: `This key does not open this ${collection}.`,
    })
    if (refused !== undefined) return refused
    const raw = await route.fetch(name)
    if (raw === undefined) return plainText(404, `There is no ${collection} with this id, or it was deleted.`)
    return { status: 200, body: raw, headers: { 'content-type': route.mediaType } }
  } catch (error) {
    if (error instanceof URIError) return plainText(404, `There is no ${collection} with this id.`)
    return plainText(503, `The ${collection} cannot be read at the moment.`)
  }
}

import { lookup as resolveName } from 'node:dns'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from '@signalbox/platform-runtime/config'
import type { CustomFetchOptions } from 'openid-client'

// An import would also load an HTTP client and two other protocols, which takes 20 ms of each start.
const { request: httpRequest } = process.getBuiltinModule('node:http')
const { request: httpsRequest } = process.getBuiltinModule('node:https')

/** The maximum size of a provider's response in bytes. Discovery documents and keys have some thousands. */
const mostOfProviders = 1024 * 1024

/**
 * Returns a `fetch` for addresses that others choose. It connects only to public addresses, so that clients cannot send
 * requests to this machine or a private network through it. The address of each connection is checked after
 * the name is resolved. Redirects are not followed.
 * @param mayBePrivate returns whether the configuration allows a private address for this URL
 * @param mostBytes the maximum size of a response
 */
export function publicFetch(mayBePrivate: (url: URL) => boolean, mostBytes = mostOfProviders) {
  return (
    address: string,
    { method, headers, body, signal }: Pick<CustomFetchOptions, 'method'> & Partial<CustomFetchOptions>,
  ): Promise<Response> =>
    new Promise((resolve, reject) => {
      const url = new URL(address)
      const isFree = mayBePrivate(url)
      // The lookup below is not called for a host that is an address already.
      const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
      if (!isFree && isIP(host) !== 0 && !isPublicAddress(host)) return reject(privateAddress(host))
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest
      const request: ClientRequest = send(url, {
        method,
        headers: { ...headers, 'accept-encoding': 'identity' },
        // A kept connection would not be checked again.
        agent: false,
        ...(!isFree && { lookup: publicLookup }),
        ...(signal && { signal }),
      })
      request.on('error', reject)
      // Without a listener, the client closes the connection after a status 101 and reports nothing else.
      request.once('upgrade', (_response, socket) => {
        socket.destroy()
        reject(new Error('The server switches to another protocol.'))
      })
      const endedEarly = () => reject(new Error('The connection ended without a response.'))
      request.once('close', endedEarly)
      request.once('response', response => {
        request.off('close', endedEarly)
        void readResponse(response, mostBytes).then(resolve, reject)
      })
      request.end(body == null ? undefined : String(body))
    })
}

/** Resolves a name to its public addresses. */
const publicLookup: LookupFunction = (name, options, done) => {
  resolveName(name, { ...options, all: true }, (error, found) => {
    if (error !== null) return done(error, [])
    const usable = found.filter(({ address }) => isPublicAddress(address))
    const [first] = usable
    if (first === undefined) return done(privateAddress(name), [])
    if (options.all === true) done(null, usable)
    else done(null, first.address, first.family)
  })
}

function privateAddress(host: string): Error {
  return new Error(
    `${host} is not a host of the public internet. userPoolListener.privateProviderHosts names others.`,
  )
}

const withoutBody = [204, 205, 304]

async function readResponse(response: IncomingMessage, mostBytes: number): Promise<Response> {
  const { statusCode: status = 500, rawHeaders } = response
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length
    // Leaving the loop by an error ends the connection.
    if (size > mostBytes) throw new Error(`The response has more than ${mostBytes} bytes.`)
    parts.push(part)
  }
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!)
  return new Response(withoutBody.includes(status) ? null : Buffer.concat(parts), { status, headers })
}

import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'

/** A response that a browser got. */
export interface Seen {
  readonly url: string
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Simulates a browser that keeps cookies by host, and finds every host on this machine. */
export function cookieBrowser(ca?: string) {
  const jars = new Map<string, Map<string, string>>()
  const jar = (host: string) => {
    const known = jars.get(host) ?? new Map<string, string>()
    jars.set(host, known)
    return known
  }
  const attributes = new Map<string, string>()

  const ask = (
    url: string,
    headers: { readonly [name: string]: string | readonly string[] } = {},
    method = 'GET',
  ) =>
    new Promise<Seen>((resolve, reject) => {
      const { protocol, hostname, port, pathname, search, host } = new URL(url)
      const cookies = jar(hostname)
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const send = protocol === 'https:' ? httpsRequest : httpRequest
      const sent = send(
        {
          ...{ host: '127.0.0.1', port, method, path: pathname + search },
          ...(protocol === 'https:' && { ca, servername: 'localhost' }),
          headers: { host, ...(cookie !== '' && { cookie }), ...(headers as object) },
        },
        response => {
          for (const line of response.headers['set-cookie'] ?? []) {
            const [, name, value, rest] = /^([^=]+)=([^;]*)(.*)$/.exec(line)!
            attributes.set(name!, rest!)
            if (/Max-Age=0(;|$)/i.test(rest!)) cookies.delete(name!)
            else cookies.set(name!, value!)
          }
          let text = ''
          response.setEncoding('utf8').on('data', part => {
            text += part
          })
          response.on('end', () =>
            resolve({ url, status: response.statusCode!, headers: response.headers, text: text.trimEnd() }),
          )
        },
      )
      sent.on('error', reject)
      sent.end()
    })

  const follow = async (url: string, stopsAt: (url: string) => boolean = () => false): Promise<Seen> => {
    const seen = await ask(url)
    const { location } = seen.headers
    if (location === undefined) return seen
    const next = new URL(location, url).href
    return stopsAt(next) ? { ...seen, url: next } : follow(next, stopsAt)
  }

  return {
    ask,
    /** Opens a page, and follows redirects until a page without one, or one that leads to a place to stop at. */
    follow,
    /** Returns the cookies for a host. */
    jar,
    /** The attributes of cookies by name, as the last response set them. */
    attributes,
  }
}

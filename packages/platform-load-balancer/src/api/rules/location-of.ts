import type { ValuesOf } from '@signalbox/platform-runtime/config'
import type { redirectFields } from '../../config/rule-config.ts'
import type { RequestFacts } from './conditions.ts'

/** A request, as redirects see it. */
export interface RoutedRequest extends RequestFacts {
  /** The host with its port, as the client sent it. */
  readonly authority: string
  readonly isSecure: boolean
  readonly port: number
}

const defaultPorts: { readonly [protocol: string]: string } = { http: '80', https: '443' }

/** Returns the address to which a request is redirected. */
export function locationOf(
  { protocol, host, port, path, query }: ValuesOf<typeof redirectFields>,
  request: Pick<RoutedRequest, 'host' | 'path' | 'query' | 'isSecure' | 'port'>,
): string {
  const values: { readonly [name: string]: string } = {
    protocol: request.isSecure ? 'https' : 'http',
    host: request.host,
    port: String(request.port),
    path: request.path.replace(/^\//, ''),
    query: request.query,
  }
  const filled = (text: string) =>
    text.replaceAll(/#\{(protocol|host|port|path|query)\}/g, (_, name: string) => values[name]!)
  const scheme = filled(protocol)
  const number = filled(port)
  const authority = filled(host) + (number === defaultPorts[scheme] ? '' : `:${number}`)
  const search = filled(query)
  // A header holds printable ASCII alone.
  return `${scheme}://${authority}${filled(path)}${search === '' ? '' : `?${search}`}`.replaceAll(
    /[^\x21-\x7e]/g,
    character => encodeURIComponent(character),
  )
}

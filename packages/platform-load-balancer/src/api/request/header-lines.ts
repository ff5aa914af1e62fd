import { connectionOptions, isHopByHop } from '@signalbox/load-balancer/contract'
import { isIdentityHeader } from '../../identity/identity-header.ts'

export type HeaderLine = readonly [name: string, value: string]

/** The facts about a connection that do not come from its requests. */
export interface Connection {
  readonly clientAddress: string
  /** The key by which the client is counted, as `clientNetwork()` returns it. */
  readonly client?: string
  readonly port: number
  readonly isSecure?: boolean
}

/** The header lines of a request, without the trace id. */
export interface HeaderLines {
  readonly lines: readonly HeaderLine[]
  /** The client's `x-cloud-trace-id`. */
  readonly trace: string | undefined
  /** The client's `traceparent`, which the lines also contain. */
  readonly traceparent: string | undefined
}

const set = new Set(['x-forwarded-for', 'x-forwarded-port', 'x-forwarded-proto', 'x-cloud-trace-id'])

/**
 * Headers that a `connection` header cannot remove, because they determine the target of a request and the form of its
 * body.
 */
const needed = new Set(['host', 'content-length', 'content-type', 'content-encoding'])

/**
 * Returns the header lines of an event: the client's, with lower-case names, and the load balancer's own, which a
 * client cannot forge. If the client sends lines with these names, only the trace root and the addresses in
 * `x-forwarded-for` remain. The client's real address is appended to these addresses. Connection headers (RFC 9110,
 * 7.6.1), `expect`, and headers that say who has signed in are omitted.
 * @param raw alternating names and values, as in `rawHeaders` of a Node request
 * @param host replaces the client's `host` when the request line has an absolute URL
 * @param contractName returns the contract's name of a header that a client of the function's dialect sends
 */
export function headerLines(
  raw: readonly string[],
  { clientAddress, port, isSecure = false }: Connection,
  host?: string,
  contractName: (name: string) => string = name => name,
): HeaderLines {
  const lines: HeaderLine[] = host === undefined ? [] : [['host', host]]
  const through: string[] = []
  let trace: string | undefined
  let traceparent: string | undefined
  for (let i = 0; i < raw.length; i += 2) {
    const sent = raw[i]!.toLowerCase()
    const name = contractName(sent)
    const value = raw[i + 1]!
    if (host !== undefined && name === 'host') continue
    if (
      (sent.startsWith('x-') || sent.startsWith('x_')) &&
      (isIdentityHeader(name) || isIdentityHeader(sent))
    )
      continue
    if (name === 'traceparent') traceparent = value
    if (!set.has(name)) lines.push([name, value])
    else if (name === 'x-forwarded-for' && value !== '') through.push(value)
    else if (name === 'x-cloud-trace-id') trace = value
  }
  const listed = connectionOptions(lines)
  const passed = lines.filter(
    ([name]) => needed.has(name) || !(isHopByHop(name) || name === 'expect' || listed?.has(name)),
  )
  passed.push(
    ['x-forwarded-for', [...through, clientAddress].join(', ')],
    ['x-forwarded-port', String(port)],
    ['x-forwarded-proto', isSecure ? 'https' : 'http'],
  )
  return { lines: passed, trace, traceparent }
}

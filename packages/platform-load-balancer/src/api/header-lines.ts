import { connectionOptions, isHopByHop } from '@signalbox/load-balancer/contract'

/** A header line. */
export type HeaderLine = readonly [name: string, value: string]

/** What the listener knows of a connection, whatever the client says. */
export interface Connection {
  readonly clientAddress: string
  readonly port: number
}

/** The header lines of a request, but for the one that no two requests have in common. */
export interface HeaderLines {
  readonly lines: readonly HeaderLine[]
  /** What the client says in `x-cloud-trace-id`. */
  readonly trace: string | undefined
}

const set = new Set(['x-forwarded-for', 'x-forwarded-port', 'x-forwarded-proto', 'x-cloud-trace-id'])

/** What says where a request goes and how to read its body: no `connection` header can take it away. */
const needed = new Set(['host', 'content-length', 'content-type', 'content-encoding'])

/**
 * The header lines of an event: the client's, with lower-case names, and the load balancer's own. A client cannot
 * forge those. Of its lines with these names only two things stay: the root of a trace, and the addresses that it
 * says the request came through, which stand before the one it really came from. What belongs to the connection is left
 * out (RFC 9110, 7.6.1), and so is the expectation, which the load balancer has met.
 * @param raw names and values in turn, as Node has them
 * @param host what counts instead of the client's `host`, when the request line says it
 */
export function headerLines(
  raw: readonly string[],
  { clientAddress, port }: Connection,
  host?: string,
): HeaderLines {
  const lines: HeaderLine[] = host === undefined ? [] : [['host', host]]
  const through: string[] = []
  let trace: string | undefined
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase()
    const value = raw[i + 1]!
    if (host !== undefined && name === 'host') continue
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
    ['x-forwarded-proto', 'http'],
  )
  return { lines: passed, trace }
}

import type { LoadBalancerResponse } from './response.ts'

/** The size in bytes of a status line without its reason phrase. */
const statusLineFrame = 'HTTP/1.1 200 \r\n'.length
/** The size in bytes of a header line without its name and value. */
const headerLineFrame = ': \r\n'.length

/**
 * Returns the size in bytes of the status line and the header lines that a function returned.
 * @example
 * ```ts
 * import { headBytes } from '@signalbox/load-balancer/contract'
 *
 * headBytes({ statusCode: 200, statusDescription: 'OK', isBase64Encoded: false, headers: {} }, false) // 17
 * ```
 */
export function headBytes(
  { statusDescription, headers, multiValueHeaders }: LoadBalancerResponse,
  multiValue: boolean,
): number {
  const map = (multiValue ? multiValueHeaders : headers) ?? {}
  let bytes = statusLineFrame + statusDescription.length
  for (const name of Object.keys(map)) {
    const values = map[name]!
    if (typeof values === 'string') bytes += headerLineFrame + name.length + values.length
    else for (const value of values) bytes += headerLineFrame + name.length + value.length
  }
  return bytes
}

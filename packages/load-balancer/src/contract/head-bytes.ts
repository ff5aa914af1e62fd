import type { LoadBalancerResponse } from './response.ts'

/** What a status line has around its phrase, and each header line between and behind its name and value. */
const statusLineFrame = 'HTTP/1.1 200 \r\n'.length
const headerLineFrame = ': \r\n'.length

/** Bytes that the status line and the header lines of an answer have together, as its function gave them. */
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

import type { LoadBalancerEvent } from './index.ts'

const longestPath = 200

/**
 * Returns the method and the path of a request, for errors and log lines. It omits the query, which may contain
 * secrets, escapes line breaks, and shortens long paths.
 */
export function requestLine({ httpMethod, path }: LoadBalancerEvent): string {
  const short = path.length > longestPath ? `${path.slice(0, longestPath)}…` : path
  return `${httpMethod} ${short.replace(/[^!-~\u2026]+/gu, part => encodeURIComponent(part.toWellFormed()))}`
}

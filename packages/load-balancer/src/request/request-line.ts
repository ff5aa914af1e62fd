import type { LoadBalancerEvent } from '../contract/index.ts'

const longest = 200

/**
 * A request in words, for errors and log lines: its method and path, without the query, which may hold secrets. A
 * path cannot break the line, nor fill the log.
 */
export function requestLine({ httpMethod, path }: LoadBalancerEvent): string {
  const short = path.length > longest ? `${path.slice(0, longest)}…` : path
  return `${httpMethod} ${short.replace(/[^!-~…]+/gu, part => encodeURIComponent(part.toWellFormed()))}`
}

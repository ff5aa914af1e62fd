import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { ApiRoute } from '@signalbox/platform-runtime/console'
import { allRoutes } from '../../testing/all-routes.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The policy of the console's pages. Tests of the console's server check that it sends the same policy. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** A request to the API. */
export interface ApiRequest {
  /** The path parameters. */
  readonly params: readonly string[]
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
}

/** Returns the answer of a route, given the route's name in `allRoutes`. */
type Answer = (name: keyof typeof allRoutes, request: ApiRequest) => unknown

/**
 * Returns a server of the built application. Its API returns prepared answers, which can show states that no real
 * platform has at the same time.
 */
export async function fixtureServer(
  folder: string,
  answer: Answer,
  file: (headers: IncomingHttpHeaders) => string = () => '',
) {
  const live = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://localhost')
    const send = (status: number, type: string, body: string | Buffer) => {
      response.writeHead(status, { 'content-type': type, 'content-security-policy': policy }).end(body)
    }
    request.resume()
    if (path === '/console/api/live') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      live.add(response)
      response.once('close', () => live.delete(response))
      return
    }
    if (path.startsWith('/console/api/')) {
      const below = path.slice('/console/api'.length)
      if (/\/(?:source|attachments\/\d+)$/.test(below))
        return send(200, 'text/plain; charset=utf-8', file(request.headers))
      for (const [name, route] of Object.entries(allRoutes) as [keyof typeof allRoutes, ApiRoute][]) {
        const params = patternOf(route.path).exec(below)
        if (params === null || route.method !== request.method) continue
        const { headers } = request
        const value = answer(name, { params: params.slice(1).map(decodeURIComponent), query, headers })
        if (value === undefined) return response.writeHead(204).end()
        return send(200, 'application/json', JSON.stringify(value))
      }
      return send(404, 'application/json', '{"error":"There is no such route."}')
    }
    const asset = path.startsWith('/console/assets/') ? path.slice('/console/'.length) : 'index.html'
    return send(200, types[extname(asset)] ?? 'application/octet-stream', readFileSync(join(folder, asset)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sends an event to every live connection. */
    push(event: string, data: unknown): void {
      for (const each of live) each.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`)
}

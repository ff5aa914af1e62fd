import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { InvalidOptionError, notAnAnswer, refuseUnknownOptions } from '@signalbox/core'
import type { OpenApiDocument } from '../openapi/index.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { HttpError } from '../response/http-error.ts'
import { json, type Reply, redirect } from '../response/reply.ts'
import { withHeaders } from '../response/reply-headers.ts'
import { group } from '../routing/group.ts'
import type { Path } from '../routing/path-params.ts'
import { get, type RouteGroup } from '../routing/route.ts'
import { contentReply } from '../static-files/content-reply.ts'
import { swaggerUi } from './swagger-ui.ts'

/** Options of `openapiPage`. */
export interface OpenApiPageOptions {
  /**
   * A folder with `swagger-ui-bundle.js` and `swagger-ui.css` of another version of Swagger UI. Default: the version in
   * this package, which is also in bundles.
   */
  readonly assets?: string | URL
}

/**
 * Serves an OpenAPI document, and a page that shows it with Swagger UI: `/docs/` and `/docs/openapi.json` for the path
 * `/docs`. The page loads its files only from the function, and its Content-Security-Policy forbids all other files.
 * Calls from the page can reach the origin of the function and the `servers` of the document.
 *
 * @example
 * const api = [get('/orders/{id}', { returns: { 200: Order } }, find)]
 * const info = { title: 'Orders', version: '1.0.0' }
 *
 * loadBalancer([...api, openapiPage('/docs', () => openapi(api, { info }))])
 *
 * @param document the document, or a function that makes it at the first request
 * @throws InvalidOptionError for an unknown option, and if the folder lacks a file of Swagger UI
 */
export function openapiPage(
  path: Exclude<Path, '/'>,
  document: OpenApiDocument | (() => OpenApiDocument),
  options: OpenApiPageOptions = {},
): RouteGroup<never> {
  refuseUnknownOptions('openapiPage()', options, ['assets'])
  const script = options.assets ? fileIn(options.assets, 'swagger-ui-bundle.js') : packed(swaggerUi.script)
  const styles = options.assets ? fileIn(options.assets, 'swagger-ui.css') : packed(swaggerUi.styles)
  let made: OpenApiDocument | undefined
  const whole = (): OpenApiDocument => {
    made ??= typeof document === 'function' ? document() : document
    return made
  }
  const page = ({ event }: HttpRequest<unknown>): Reply => {
    const { info, servers = [] } = whole()
    const reply = contentReply(content('text/html; charset=utf-8', pageOf(info.title)), event)
    return withHeaders(reply, {
      'content-security-policy': policy(servers.map(({ url }) => url)),
      'referrer-policy': 'no-referrer',
    })
  }
  const routes = group(
    path,
    [],
    [
      get('/', request => redirect(`${request.path}/`, 301)),
      get('/openapi.json', () => json(whole() as object)),
      get('/start.js', ({ event }) => contentReply(content('text/javascript; charset=utf-8', start), event)),
      get('/swagger-ui-bundle.js', large(script, 'text/javascript; charset=utf-8')),
      get('/swagger-ui.css', large(styles, 'text/css; charset=utf-8')),
    ],
  )
  return notAnAnswer('a group of routes', { routes: [...routes.routes, get(`${path}/`, page)] as never })
}

function content(type: string, text: string) {
  return { bytes: Buffer.from(text), type, cacheControl: 'no-cache' }
}

/** Returns the compressed bytes of a file. */
type Compressed = () => Promise<Uint8Array>

/** Serves a file of Swagger UI compressed with gzip, because the uncompressed file is too large for an answer. */
function large(compressed: Compressed, type: string) {
  let bytes: Promise<Uint8Array> | undefined
  return async ({ event, headers }: HttpRequest): Promise<Reply> => {
    if (!/\bgzip\b|\*/.test(headers.all('accept-encoding').join())) {
      throw new HttpError(406, 'The page needs a client that accepts gzip')
    }
    bytes ??= compressed()
    // The next request reads a file again that could not be read.
    bytes.catch(() => {
      bytes = undefined
    })
    const found = { bytes: await bytes, type, cacheControl: 'no-cache', encoding: 'gzip' }
    return withHeaders(contentReply(found, event), { vary: 'accept-encoding' })
  }
}

function packed(file: () => string): Compressed {
  return async () => Buffer.from(file(), 'base64')
}

function fileIn(assets: string | URL, name: string): Compressed {
  const folder = assets instanceof URL ? fileURLToPath(assets) : assets
  const path = join(folder, name)
  if (!existsSync(path)) throw new InvalidOptionError(`openapiPage(): there is no ${name} in ${folder}`)
  // The module is loaded on first use, because loading node:zlib takes longer than loading the rest of the package.
  return async () => promisify(process.getBuiltinModule('node:zlib').gzip)(await readFile(path))
}

/**
 * Returns the Content-Security-Policy of the page, which loads nothing from other servers. Icons may be data URLs,
 * because the style sheet contains them in that form.
 */
function policy(servers: readonly string[]): string {
  const origins = servers.filter(url => URL.canParse(url)).map(url => new URL(url).origin)
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data:',
    `connect-src ${["'self'", ...new Set(origins)].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function pageOf(title: string): string {
  const escaped = title.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="swagger-ui-bundle.js"></script>
<script src="start.js"></script>
</body>
</html>
`
}

// The page uses no online validator, because that would cause requests to another server.
const start = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null })
`

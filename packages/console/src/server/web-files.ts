import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context } from 'hono'
import { builtFolder } from '../own-code.ts'
import type { Env } from './access.ts'

/**
 * The policy of the pages. It allows scripts of the same origin, but no inline scripts and no external content.
 * It allows inline styles, because mails need them and the frame of a mail inherits this policy.
 */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const mediaTypes: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
}

/** The content encodings of the built files, in order of preference. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/**
 * Serves the web application: files with hashed names from `assets`, which never change, and one page for every other
 * path. It serves only files that it found at the first request, so that no path can reach any other file.
 */
export function webFiles(folder: URL = builtFolder): (c: Context<Env>) => Response {
  let files: ReadonlyMap<string, Uint8Array<ArrayBuffer>> | undefined
  return c => {
    files ??= filesIn(folder)
    const path = c.req.path.replace(/^\/console\/?/, '')
    const isAsset = path.startsWith('assets/')
    const name = isAsset || files.has(path) ? path : 'index.html'
    const content = files.get(name)
    if (content === undefined)
      return isAsset
        ? c.text('There is no such file.\n', 404)
        : c.text('The web application of the console is not built. Build @signalbox/console.\n', 503)
    const accepted = (c.req.header('accept-encoding') ?? '').toLowerCase()
    const encoding = encodings.find(
      ([token, ending]) =>
        new RegExp(`(?:^|[\\s,])${token}\\b(?!\\s*;\\s*q=0(?:\\.0+)?\\s*(?:,|$))`).test(accepted) &&
        files!.has(name + ending),
    )
    c.header('content-type', mediaTypes[extname(name)] ?? 'application/octet-stream')
    c.header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
    c.header('content-security-policy', pagePolicy)
    c.header('vary', 'accept-encoding')
    if (encoding !== undefined) c.header('content-encoding', encoding[0])
    return c.body(encoding === undefined ? content : files.get(name + encoding[1])!)
  }
}

/** Returns the built files by name. The map is empty if the application is not built. */
function filesIn(folder: URL): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  if (!existsSync(folder)) return new Map()
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  const root = fileURLToPath(folder)
  return new Map(
    names
      .filter(each => each.isFile())
      .map(each => relative(root, join(each.parentPath, each.name)))
      .map(path => [path.replaceAll(sep, '/'), new Uint8Array(readFileSync(join(root, path)))] as const),
  )
}

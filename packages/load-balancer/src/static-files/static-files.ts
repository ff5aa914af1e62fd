import { readdirSync, realpathSync, statSync } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InvalidOptionError, notAnAnswer, refuseUnknownOptions } from '@signalbox/core'
import { maxResponseBytes, maxResponseHeadBytes } from '../contract/index.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { HttpError } from '../response/http-error.ts'
import { type Reply, redirect } from '../response/reply.ts'
import { group } from '../routing/group.ts'
import type { Path } from '../routing/path-params.ts'
import { get, type RouteGroup } from '../routing/route.ts'
import { contentReply } from './content-reply.ts'
import { contentTypes } from './content-types.ts'

/** Options of `staticFiles`. */
export interface StaticFilesOptions {
  /**
   * The `cache-control` of all files, or a function that returns it for the path of a file below the folder,
   * such as `assets/app.js`. Default `no-cache`: clients keep a file, but ask each time whether it has
   * changed.
   */
  readonly cacheControl?: string | ((path: string) => string)
  /**
   * Content types by the extension of a file, such as `{ '.usdz': 'model/vnd.usdz+zip' }`. They are added to the known
   * types, or replace them.
   */
  readonly types?: { readonly [ending: string]: string }
}

/** The size in bytes of the largest file that fits into an answer as Base64. */
const largestFile = Math.floor(((maxResponseBytes - maxResponseHeadBytes) * 3) / 4)

/**
 * Serves the files of a folder below a prefix, for GET and HEAD, with entity tags, conditional requests and ranges. For
 * a path that ends with a slash, it serves `index.html` in that folder. It redirects the path of a folder without the
 * slash to the path with the slash.
 *
 * No encoding and no symbolic link in a path can reach a file outside of the folder. Names that begin with a
 * dot are not served, except `.well-known`. It throws at startup for a file that does not fit into an answer
 * of 1 MB (docs/contract/load-balancer.md#limits.response). See docs/decisions/http.md#files-and-media-types.
 *
 * @example
 * loadBalancer([
 *   staticFiles('/', new URL('./public/', import.meta.url), {
 *     cacheControl: path => (path.startsWith('assets/') ? 'max-age=31536000, immutable' : 'no-cache'),
 *   }),
 * ])
 *
 * @throws InvalidOptionError for an unknown option, for a path that is not a folder, and for a file that is
 * too large
 */
export function staticFiles(
  prefix: Path,
  folder: string | URL,
  options: StaticFilesOptions = {},
): RouteGroup<never> {
  refuseUnknownOptions('staticFiles()', options, ['cacheControl', 'types'])
  const { cacheControl = 'no-cache', types = {} } = options
  const root = rootOf(folder)
  refuseLargeFiles(root)
  const known: typeof types = { ...contentTypes, ...types }

  const serve = async (request: HttpRequest<unknown>, name: string): Promise<Reply> => {
    const found = await fileAt(root, request.path, name)
    if (found === undefined) throw new HttpError(404, 'There is no such file')
    if (found.isFolder) return redirect(`${request.path}/`, 301)
    const ending = extname(found.path).toLowerCase()
    return contentReply(
      {
        bytes: await readFile(found.path),
        type: Object.hasOwn(known, ending) ? known[ending]! : 'application/octet-stream',
        cacheControl: typeof cacheControl === 'string' ? cacheControl : cacheControl(found.name),
        modified: found.modified,
      },
      request.event,
    )
  }
  const index = (request: HttpRequest<unknown>) => serve(request, '')
  const below = group(prefix, [], [get('/{path+}', request => serve(request, request.params.path))])
  const own = prefix === '/' ? [get('/', index)] : [get(prefix, toFolder), get(`${prefix}/`, index)]
  return notAnAnswer('a group of routes', { routes: [...below.routes, ...own] as never })
}

const toFolder = ({ path }: HttpRequest<unknown>) => redirect(`${path}/`, 301)

interface Found {
  readonly isFolder: boolean
  readonly path: string
  /** The path of the file below the folder. */
  readonly name: string
  readonly modified: number
}

/** Returns the file or folder at a path, or undefined for a file that is not served. */
async function fileAt(root: string, path: string, name: string): Promise<Found | undefined> {
  // The earlier checks treat an encoded separator as a part of a name.
  if (/%(?:2f|5c|00)/i.test(path)) return undefined
  const segments = name.split('/')
  if (segments.at(-1) === '') segments.splice(-1, 1, 'index.html')
  if (!segments.every(isServed)) return undefined
  try {
    const real = await realpath(join(root, ...segments))
    // The target of a symbolic link must satisfy the same rules.
    if (!real.startsWith(root + sep) || !relative(root, real).split(sep).every(isServed)) return undefined
    const info = await stat(real)
    if (!info.isFile() && !info.isDirectory()) return undefined
    return { isFolder: info.isDirectory(), path: real, name: segments.join('/'), modified: info.mtimeMs }
  } catch (error) {
    if (absent.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/** The error codes for a path without a file. */
const absent = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']

function isServed(segment: string): boolean {
  if (segment === '' || segment.includes('\0') || segment.includes('\\')) return false
  return !segment.startsWith('.') || segment === '.well-known'
}

function rootOf(folder: string | URL): string {
  const path = folder instanceof URL ? fileURLToPath(folder) : folder
  try {
    if (statSync(path).isDirectory()) return realpathSync(path)
  } catch {
    // The answer for an unreadable file is the same as for a missing file.
  }
  throw new InvalidOptionError(`staticFiles(): there is no folder ${JSON.stringify(path)}`)
}

/**
 * Throws at startup if a file is too large, so that the mistake is found before a client requests the file.
 */
function refuseLargeFiles(root: string): void {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(root, path)
    if (!entry.isFile() || !name.split(sep).every(isServed)) continue
    const { size } = statSync(path)
    if (size <= largestFile) continue
    throw new InvalidOptionError(
      `staticFiles(): ${name} has ${size} bytes, and an answer has room for a file of ${largestFile}. ` +
        'Keep it where large files are served, such as a bucket, and redirect to it.',
    )
  }
}

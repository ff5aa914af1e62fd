import { existsSync, readFileSync } from 'node:fs'
import { join, matchesGlob, posix } from 'node:path'

/** The folder of the repository, whose Markdown pages the site shows where they stand. */
export const repository = join(import.meta.dirname, '../../..')

/** Where the repository's files can be read. READMEs of packages link to pages there, because they are published, too. */
const files = 'https://github.com/signalbox/signalbox/blob/main/'
const pictures = 'https://raw.githubusercontent.com/signalbox/signalbox/main/'
const packages = 'https://www.npmjs.com/package/@signalbox/'

/** Pages of the repository that only people who work on it read, by patterns of paths. */
export const leftOut = [
  '{examples,.changeset,.github}/**',
  'benchmarks/!(RESULTS).md',
  'packages/{acceptance,platform-!(postgres)}/**',
  'packages/site/{.vitepress,dist,src}/**',
  'packages/*/!(README).md',
  'packages/site/README.md',
  'packages/*/{src,fixtures,starters}/**',
  'CODE_OF_CONDUCT.md',
  'docs/deploy/app/**',
]

/** Returns whether a path in the repository is a page of the site. */
export function isPage(path: string): boolean {
  if (!path.endsWith('.md') || !existsSync(join(repository, path))) return false
  return !leftOut.some(pattern => matchesGlob(path, pattern))
}

/**
 * Returns where a page of the repository stands on the site.
 *
 * @param path The path in the repository, such as `docs/deploy/README.md`.
 * @returns The path on the site, with the ending `.md`, such as `deploy/index.md`.
 */
export function placeOf(path: string): string {
  const fixed: { readonly [path: string]: string } = {
    'packages/signalbox/README.md': 'packages/signalbox.md',
    'CONTRIBUTING.md': 'contributing.md',
    'SECURITY.md': 'security.md',
    'benchmarks/RESULTS.md': 'benchmarks.md',
  }
  return (
    fixed[path] ??
    path
      .replace(/^docs\//, '')
      .replace(/^packages\/site\/generated\//, '')
      .replace(/^packages\/([^/]+)\/README\.md$/, 'packages/$1.md')
      .replace(/(^|\/)README\.md$/, '$1index.md')
  )
}

/** Returns the address of a page on the site, such as `/deploy/` for `docs/deploy/README.md`. */
export function addressOf(path: string): string {
  return `/${placeOf(path)
    .replace(/\.md$/, '')
    .replace(/(^|\/)index$/, '$1')}`
}

/**
 * Returns a link relative to the root of the repository: `docs/access.md#keys` for `../access.md#keys` and for the same
 * page at the repository's own site. Undefined for links that lead elsewhere, and for those within a page.
 */
function withinRepository(from: string, href: string): string | undefined {
  if (href.startsWith(files)) return href.slice(files.length)
  if (href.startsWith(packages)) {
    const [name, anchor] = href.slice(packages.length).split('#')
    return `packages/${name}/README.md${anchor === undefined ? '' : `#${anchor}`}`
  }
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return undefined
  return posix.join(posix.dirname(from), href)
}

/**
 * Returns where a link of a page leads on the site. Links to pages lead to their addresses, and links to other files and
 * folders of the repository lead to the repository's own site.
 *
 * @param from The page with the link, as a path in the repository.
 * @param href The link as the page has it, relative to the page.
 * @param isPage Whether a path in the repository is a page of the site.
 */
export function linkOf(from: string, href: string, isPage: (path: string) => boolean): string {
  const [path, anchor] = withinRepository(from, href)?.split('#') ?? []
  if (path === undefined) return href
  const target = decodeURI(path)
  const end = anchor === undefined ? '' : `#${anchor}`
  const page = [target, posix.join(target, 'README.md')].find(isPage)
  if (page !== undefined) return `${addressOf(page)}${end}`
  return href.startsWith('https:') ? href : `${files}${target.replace(/\/$/, '')}${end}`
}

/** Returns the source of a picture relative to its page. */
export function pictureOf(from: string, source: string): string {
  return source.startsWith(pictures)
    ? posix.relative(posix.dirname(from), source.slice(pictures.length))
    : source
}

/**
 * Returns the source of the same picture in the dark theme, relative to its page, or undefined if there is none. The site shows
 * it to readers with that theme; elsewhere all see the light one.
 */
export function darkPictureOf(from: string, source: string): string | undefined {
  const dark = source.replace(/\.png$/, '-dark.png')
  return dark !== source && existsSync(join(repository, posix.dirname(from), dark)) ? dark : undefined
}

/** Returns the width and height of a picture in pixels, so that a page keeps its place while pictures load. */
export function sizeOf(from: string, source: string): { readonly width: number; readonly height: number } {
  const header = readFileSync(join(repository, posix.dirname(from), source)).subarray(0, 24)
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) }
}

/** Returns where a picture of a page can be had as it is in the repository. */
export function pictureAddressOf(from: string, source: string): string {
  return source.startsWith('https:') ? source : pictures + posix.join(posix.dirname(from), source)
}

/** Returns the anchor of a heading, as GitHub makes it, so that one link works at both places. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}

import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Clock } from '@signalbox/core'

/** The largest number of files that are read for one function. */
const mostFiles = 1000

/** Milliseconds for which the files are not looked at again. */
const lookInterval = 1000

/** The largest file that is searched for imports, in bytes. */
const longestSource = 4 * 1024 * 1024

const imports = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g

/**
 * Returns a function that returns a digest of the code in a file and in the files that it imports by relative paths, without
 * packages. The digest is computed anew when one of these files has changed, which is looked at once a second at most.
 * Undefined when a file cannot be read.
 */
export function codeDigest(file: string, clock: Pick<Clock, 'now'>): () => string | undefined {
  let known:
    | { readonly files: readonly string[]; readonly state: string; readonly digest: string }
    | undefined
  const look = (): string | undefined => {
    if (known !== undefined && stateOf(known.files) === known.state) return known.digest
    const files = new Map<string, Buffer>()
    collect(file, files)
    if (files.size === 0) return undefined
    const digest = createHash('sha256')
    for (const path of [...files.keys()].sort()) digest.update(files.get(path)!).update('\0')
    known = {
      files: [...files.keys()],
      state: stateOf([...files.keys()]),
      digest: digest.digest('base64url'),
    }
    return known.digest
  }
  let lookedAt = Number.NEGATIVE_INFINITY
  let seen: string | undefined
  return () => {
    if (clock.now() - lookedAt < lookInterval) return seen
    lookedAt = clock.now()
    try {
      seen = look()
    } catch {
      // A file that cannot be read stops no execution.
      seen = undefined
    }
    return seen
  }
}

function collect(path: string, files: Map<string, Buffer>): void {
  const found = [path, ...['.ts', '.js', '.mjs', '.cjs'].map(ending => path + ending)].find(isFile)
  if (found === undefined || files.has(found) || files.size >= mostFiles) return
  const content = readFileSync(found)
  files.set(found, content)
  if (content.length > longestSource || !/\.[cm]?[jt]sx?$/.test(found)) return
  for (const [, name] of content.toString().matchAll(imports)) collect(resolve(dirname(found), name!), files)
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

const stateOf = (files: readonly string[]): string =>
  files
    .map(path => {
      const found = statSync(path, { throwIfNoEntry: false })
      return found === undefined ? 'gone' : `${found.mtimeMs} ${found.size}`
    })
    .join()

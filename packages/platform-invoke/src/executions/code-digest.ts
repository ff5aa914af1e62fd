import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The largest number of files that are read for one function. */
const mostFiles = 1000

/** The largest file that is searched for imports, in bytes. */
const longestSource = 4 * 1024 * 1024

const imports = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g

/**
 * Returns a function that returns a digest of the code in a file and in the files that it imports by relative paths, without
 * packages. The digest is computed anew when one of these files has changed. Undefined when the file cannot be read.
 */
export function codeDigest(file: string): () => string | undefined {
  let known:
    | { readonly files: readonly string[]; readonly state: string; readonly digest: string }
    | undefined
  return () => {
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

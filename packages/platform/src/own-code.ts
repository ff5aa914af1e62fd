import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// This file is directly in `src`, because the build moves its code into a file directly in `dist`.

/** The folder of this package, which has `src` or `dist`. */
export const packageFolder = fileURLToPath(new URL('../', import.meta.url))

/** The folder of the runtime clients of other languages. It is packed beside `src` and `dist`. */
export const languagesFolder = new URL('../languages/', import.meta.url)

/** Returns the version of this package. */
export function ownVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return (manifest as { readonly version: string }).version
}

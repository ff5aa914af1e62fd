import { isBuiltin } from 'node:module'

/** Returns whether code makes schemas, either by defining one or by converting codecs. */
export function makesSchemas(code: string): boolean {
  return /~standard|\bbyType\b/.test(code) || (code.includes('@signalbox/codec') && /\bstandard\b/.test(code))
}

/**
 * Returns whether a module may contain schemas of other libraries. It may if it makes schemas, or if it imports an
 * external package, because a bundler does not see the code of such a package.
 */
export function opensSchemas(code: string, isExternal: (specifier: string) => boolean): boolean {
  const imports = code.matchAll(/\b(?:from|import|require)\s*\(?\s*(['"])([^'"\n]+)\1/g)
  return (
    makesSchemas(code) ||
    [...imports].some(([, , specifier]) => hasUnknownCode(specifier!) && isExternal(specifier!))
  )
}

/** Returns whether an imported package may make schemas or use members of Signalbox. */
export function hasUnknownCode(specifier: string): boolean {
  return !isBuiltin(specifier) && !/^(?:@aws-sdk\/|@signalbox\/|(?:io|fp)-ts(?:\/|$))/.test(specifier)
}

/** The options of esbuild that name external packages. */
export interface EsbuildOptions {
  readonly packages?: string
  readonly external?: readonly string[]
}

/** Returns whether esbuild leaves an import out of a bundle. */
export function externalOf({ packages, external = [] }: EsbuildOptions): (specifier: string) => boolean {
  const patterns = external.map(each => {
    const [start, end] = each.split('*')
    return (specifier: string) =>
      end === undefined
        ? specifier === each || specifier.startsWith(`${each}/`)
        : specifier.startsWith(start!) && specifier.endsWith(end)
  })
  return specifier => {
    const isRelative = /^[./]/.test(specifier)
    return (packages === 'external' && !isRelative) || patterns.some(matches => matches(specifier))
  }
}

import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Problem } from '@signalbox/codec'
import { type ConfigOf, nonEmptyText, objectOf, required } from './field.ts'

export const tlsFields = {
  /** The file of the certificate (PEM). */
  cert: required(nonEmptyText),
  /** The file of the key of the certificate (PEM). */
  key: required(nonEmptyText),
}

/** The files of a certificate and its key. Their paths are relative to the configuration file. */
export interface TlsConfig extends ConfigOf<typeof tlsFields> {}

export const tlsFiles = objectOf<TlsConfig>(tlsFields)

/** A certificate and its key, both PEM. */
export interface TlsFiles {
  readonly cert: Buffer
  readonly key: Buffer
  /** The absolute paths of the files, if they are to be read again when they change. */
  readonly paths?: TlsConfig
}

/** Returns the problems of the files that a key `tls` names. The list is empty when the key is not set. */
export function certificateProblems(
  tls: TlsConfig | undefined,
  pointer: string,
  root: string,
): readonly Problem[] {
  if (tls === undefined) return []
  const missing = (['cert', 'key'] as const).filter(
    key => !statSync(resolve(root, tls[key]), { throwIfNoEntry: false })?.isFile(),
  )
  if (missing.length > 0)
    return missing.map(key => ({
      pointer: `${pointer}/${key}`,
      expected: 'a file',
      actual: `${tls[key]}, where there is none`,
    }))
  try {
    process.getBuiltinModule('node:tls').createSecureContext(readTlsFiles(tls, root))
    return []
  } catch (error) {
    const actual = `files that cannot be used (${(error as NodeJS.ErrnoException).code ?? 'unreadable'})`
    return [{ pointer, expected: 'a certificate and its key, both PEM', actual }]
  }
}

/** Returns the problems of the file with the certificates that may sign another server's. */
export function authorityProblems(file: string, pointer: string, root: string): readonly Problem[] {
  const path = resolve(root, file)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    return [{ pointer, expected: 'a file', actual: `${file}, where there is none` }]
  // TLS ignores text that is no certificate, and would then trust no server.
  const isPem = readFileSync(path, 'latin1').includes('-----BEGIN CERTIFICATE-----')
  return isPem ? [] : [{ pointer, expected: 'certificates in PEM', actual: `${file}, which has none` }]
}

/** Returns the certificate and the key that a configuration names, by paths from `root`. */
export function readTlsFiles({ cert, key }: TlsConfig, root: string): TlsFiles {
  return tlsFilesAt({ cert: resolve(root, cert), key: resolve(root, key) })
}

/**
 * Reads a certificate and its key.
 * @param paths absolute paths
 */
export function tlsFilesAt(paths: TlsConfig): TlsFiles {
  return { cert: readFileSync(paths.cert), key: readFileSync(paths.key), paths }
}

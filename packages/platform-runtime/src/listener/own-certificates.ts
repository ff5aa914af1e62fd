import { X509Certificate } from 'node:crypto'
import { statSync } from 'node:fs'
import type { SecureContext, Server, TlsOptions } from 'node:tls'
import { type Clock, systemClock } from '@signalbox/core/base'
import { type TlsFiles, tlsFilesAt } from '../fields/tls-files.ts'

/** Milliseconds between two checks of the files. */
const lookInterval = 10_000

/** The clock and the notices of a listener that reads changed certificates again. */
export interface ReloadContext {
  readonly clock?: Clock
  /** Tells the operator that changed files cannot be used. */
  readonly notice?: (text: string) => void
}

interface OwnCertificates {
  /**
   * Options of a TLS server. The server selects the certificate by the name that a client asks for (SNI), or else
   * uses the first certificate.
   */
  readonly options: TlsOptions
  /**
   * Reads files again when they change, and gives their certificates to the server. Returns a function that stops
   * watching.
   */
  readonly watch: (server: Server) => () => void
}

interface Entry {
  readonly files: TlsFiles
  readonly context: SecureContext
  readonly certificate: X509Certificate
}

/**
 * Selects one of a listener's certificates for each connection, and reads changed files again.
 * @param files at least one certificate. A certificate without file paths is not read again.
 */
export function ownCertificates(
  files: readonly TlsFiles[],
  { clock = systemClock, notice = () => {} }: ReloadContext = {},
): OwnCertificates {
  let entries = files.map(entryOf)
  const [first] = files as readonly [TlsFiles]
  return {
    options: {
      cert: first.cert,
      key: first.key,
      minVersion: 'TLSv1.2',
      SNICallback: (name, done) => done(null, entries.find(each => isFor(each, name))?.context),
    },
    watch(server) {
      let seen = files.map(stateOf)
      let isFailing = false
      let cancel = () => {}
      const look = () => {
        const now = files.map(stateOf)
        if (now.some((state, at) => state !== seen[at])) {
          try {
            entries = files.map(({ paths, ...pair }) =>
              entryOf(paths === undefined ? pair : tlsFilesAt(paths)),
            )
            server.setSecureContext({
              cert: entries[0]!.files.cert,
              key: entries[0]!.files.key,
              minVersion: 'TLSv1.2',
            })
            seen = now
            isFailing = false
          } catch (error) {
            // A program may be writing the files at the moment. The next check tries again.
            if (isFailing) notice(`Changed certificate files cannot be used: ${(error as Error).message}`)
            isFailing = true
          }
        }
        cancel = clock.after(lookInterval, look)
      }
      if (files.some(({ paths }) => paths !== undefined)) cancel = clock.after(lookInterval, look)
      return () => cancel()
    },
  }
}

function entryOf(files: TlsFiles): Entry {
  const { cert, key } = files
  const { createSecureContext } = process.getBuiltinModule('node:tls')
  return {
    files,
    context: createSecureContext({ cert, key, minVersion: 'TLSv1.2' }),
    certificate: new X509Certificate(cert),
  }
}

function isFor({ certificate }: Entry, name: string): boolean {
  return certificate.checkHost(name, { subject: 'never' }) !== undefined
}

function stateOf({ paths }: TlsFiles): string {
  if (paths === undefined) return ''
  return [paths.cert, paths.key]
    .map(path => {
      const file = statSync(path, { throwIfNoEntry: false })
      return file === undefined ? '' : `${file.mtimeMs} ${file.size} ${file.ino}`
    })
    .join()
}

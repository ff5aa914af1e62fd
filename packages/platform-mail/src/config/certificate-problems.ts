import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { Problem } from '@signalbox/codec'
import type { MailConfig } from './mail-config.ts'

/** The problems of the certificate files in a mail configuration. */
export function certificateProblems({ tls }: MailConfig, root: string): readonly Problem[] {
  if (tls === undefined) return []
  const missing = (['cert', 'key'] as const).filter(
    key => !statSync(resolve(root, tls[key]), { throwIfNoEntry: false })?.isFile(),
  )
  if (missing.length > 0)
    return missing.map(key => ({
      pointer: `/mail/tls/${key}`,
      expected: 'a file',
      actual: `${tls[key]}, where there is none`,
    }))
  try {
    createSecureContext({
      cert: readFileSync(resolve(root, tls.cert)),
      key: readFileSync(resolve(root, tls.key)),
    })
    return []
  } catch (error) {
    const actual = `files that cannot be used (${(error as NodeJS.ErrnoException).code ?? 'unreadable'})`
    return [{ pointer: '/mail/tls', expected: 'a certificate and its key, both PEM', actual }]
  }
}

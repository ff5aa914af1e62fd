import type { ConsoleFile } from '@signalbox/platform-runtime/console'
import type { Context } from 'hono'
import type { Env } from './access.ts'

/**
 * The policy for a page from outside, such as the HTML of a mail: no scripts, no forms, no external content, and a
 * separate origin. Only the console's pages may frame it.
 */
const framedPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"

/** Sends a file of a source. Because it is untrusted, browsers never show it as a page of the console's origin. */
export function sendFile(c: Context<Env>, file: ConsoleFile): Response {
  switch (file.kind) {
    case 'text':
      c.header('content-type', `text/plain; charset=${file.charset}`)
      return c.body(new Uint8Array(file.bytes))
    case 'page':
      c.header('content-type', 'text/html; charset=utf-8')
      c.header('content-security-policy', framedPolicy)
      c.header('x-frame-options', 'SAMEORIGIN')
      return c.body(file.html)
    case 'download':
      c.header('content-type', 'application/octet-stream')
      c.header('content-disposition', `attachment; filename*=UTF-8''${encodeValue(file.name)}`)
      return c.body(new Uint8Array(file.bytes))
  }
}

/** Encodes a file name according to RFC 8187. Replaces lone surrogates, which UTF-8 cannot represent. */
function encodeValue(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

import type { ConsoleMail } from '@signalbox/platform-runtime/console'
import type { Context, Hono } from 'hono'
import type { Env } from './access.ts'
import { found } from './api-error.ts'

/**
 * The policy for the HTML of a mail: no scripts, no forms, no external content, and a separate origin. Only the
 * console's pages may frame it.
 */
const mailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"

/**
 * Serves the source, the HTML and the attachments of mails as files. Because they are untrusted, browsers never
 * show them as pages of the console's origin.
 */
export function serveMailFiles(app: Hono<Env>, path: string, mail: ConsoleMail): void {
  for (const [below, rawOf] of [
    ['/mail/:id', (c: Context<Env>) => mail.raw(c.req.param('id')!)],
    [
      '/mailboxes/:address/:id',
      (c: Context<Env>) => mail.delivered(c.req.param('address')!, c.req.param('id')!),
    ],
  ] as const) {
    const raw = async (c: Context<Env>) => found(await rawOf(c), `mail ${c.req.param('id')}`)

    app.get(`${path}${below}/source`, async c => {
      // Each byte becomes one character, because the source may have any encoding.
      c.header('content-type', 'text/plain; charset=iso-8859-1')
      return c.body(new Uint8Array(await raw(c)))
    })

    app.get(`${path}${below}/html`, async c => {
      const { html } = await mail.parse(await raw(c))
      c.header('content-type', 'text/html; charset=utf-8')
      c.header('content-security-policy', mailPolicy)
      c.header('x-frame-options', 'SAMEORIGIN')
      return c.body(found(html, 'HTML in this mail'))
    })

    app.get(`${path}${below}/attachments/:index{\\d+}`, async c => {
      const source = await raw(c)
      const index = Number(c.req.param('index'))
      const bytes = found(await mail.attachment(source, index), `attachment ${index}`)
      const { attachments } = await mail.parse(source)
      const name = attachments[index]?.filename ?? `attachment-${index}`
      c.header('content-type', 'application/octet-stream')
      c.header('content-disposition', `attachment; filename*=UTF-8''${encodeValue(name)}`)
      return c.body(new Uint8Array(bytes))
    })
  }
}

/** Encodes a file name according to RFC 8187. Replaces lone surrogates, which UTF-8 cannot represent. */
function encodeValue(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

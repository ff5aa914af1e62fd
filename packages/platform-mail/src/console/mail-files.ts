import { type ConsoleFiles, found } from '@signalbox/platform-runtime/console'
import type { ConsoleMail } from './mail-port.ts'

/** Returns the source, the HTML and the attachments of mails as files. */
export function mailFiles(mail: ConsoleMail): ConsoleFiles {
  type Params = Readonly<Record<string, string>>
  const below = (path: string, rawOf: (params: Params) => Promise<Buffer | undefined>): ConsoleFiles => {
    const raw = async (params: Params) => found(await rawOf(params), `mail ${params.id}`)
    return {
      // Each byte becomes one character, because the source may have any encoding.
      [`${path}/source`]: async params => ({
        kind: 'text',
        bytes: await raw(params),
        charset: 'iso-8859-1',
      }),
      async [`${path}/html`](params) {
        const { html } = await mail.parse(await raw(params))
        return { kind: 'page', html: found(html, 'HTML in this mail') }
      },
      async [`${path}/attachments/{index}`](params) {
        const source = await raw(params)
        const index = /^\d+$/.test(params.index!) ? Number(params.index) : -1
        const bytes = found(await mail.attachment(source, index), `attachment ${params.index}`)
        const { attachments } = await mail.parse(source)
        return { kind: 'download', bytes, name: attachments[index]?.filename ?? `attachment-${index}` }
      },
    }
  }
  return {
    ...below('/mail/{id}', ({ id }) => mail.raw(id!)),
    ...below('/mailboxes/{address}/{id}', ({ address, id }) => mail.delivered(address!, id!)),
  }
}

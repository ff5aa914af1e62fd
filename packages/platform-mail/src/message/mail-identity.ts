import { createHash } from 'node:crypto'
import { headerBlock, headerName, headers } from './header-lines.ts'

/** What shows that a client sends a mail again. */
export interface MailIdentity {
  /** The value of the Message-ID header. Empty if the mail has none. */
  readonly messageId: string
  /** A hash of the mail without the headers that servers add or change on its way. */
  readonly content: string
}

/** The headers that stay the same when a client sends a mail again. */
const lasting = new Set([
  ...['from', 'sender', 'to', 'cc', 'reply-to', 'subject', 'date', 'message-id', 'in-reply-to', 'references'],
  ...['mime-version', 'content-type', 'content-transfer-encoding', 'content-disposition'],
])

/** The maximum number of bytes that are read from a Message-ID header. */
const idLimit = 1000

/** Reads what identifies a mail. Never throws. */
export function mailIdentity(raw: Buffer): MailIdentity {
  const hash = createHash('sha256')
  const head = headerBlock(raw)
  let messageId: string | undefined
  for (const header of headers(head)) {
    const name = headerName(header)
    if (!lasting.has(name)) continue
    hash.update(header)
    if (name !== 'message-id') continue
    messageId ??= header
      .subarray(header.indexOf(':') + 1, idLimit)
      .toString('latin1')
      .trim()
  }
  return { messageId: messageId ?? '', content: hash.update(raw.subarray(head.length)).digest('base64url') }
}

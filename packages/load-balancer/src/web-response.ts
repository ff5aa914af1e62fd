import { isUtf8 } from 'node:buffer'
import { isTextBody } from './contract/index.ts'
import type { Reply, ReplyHeaders } from './reply.ts'

/** A Web `Response` as a reply, byte for byte. Its body is read, so this can be done once. */
export async function replyOf(response: Response): Promise<Reply> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const { headers, status: statusCode, statusText } = response
  const asText = isTextBody(
    headers.get('content-type') ?? undefined,
    headers.get('content-encoding') ?? undefined,
  )
  return {
    statusCode,
    statusDescription: statusText === '' ? undefined : `${statusCode} ${statusText}`,
    headers: headersOf(headers),
    body: asText && isUtf8(bytes) ? bytes.toString() : bytes,
  }
}

function headersOf(headers: Headers): ReplyHeaders {
  const cookies = headers.getSetCookie()
  const others = [...headers].filter(([name]) => name !== 'set-cookie')
  return Object.fromEntries(cookies.length === 0 ? others : [...others, ['set-cookie', cookies] as const])
}

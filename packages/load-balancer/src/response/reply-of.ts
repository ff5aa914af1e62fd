import { isTextBody } from '../contract/index.ts'
import type { Reply, ReplyHeaders } from './reply.ts'
import { wholeBody } from './whole-body.ts'

/**
 * Turns a Web `Response` into a reply with the same bytes. It can be called only once for each response, because it
 * reads the body.
 */
export async function replyOf(response: Response): Promise<Reply> {
  const bytes = await wholeBody(response)
  const { status: statusCode, statusText } = response
  const headers = sentHeaders(response)
  const asText = isTextBody(
    headers.get('content-type') ?? undefined,
    headers.get('content-encoding') ?? undefined,
  )
  return {
    statusCode,
    statusDescription: statusText === '' ? undefined : `${statusCode} ${statusText}`,
    headers: headersOf(headers),
    // Importing node:buffer would load its File, which takes half a millisecond of each start.
    body: asText && process.getBuiltinModule('node:buffer').isUtf8(bytes) ? bytes.toString() : bytes,
  }
}

// Returns the headers of a response, without the content-encoding if the body is already decoded. `fetch()` decodes the
// bodies of its responses, and only these responses have a URL.
function sentHeaders({ url, headers }: Response): Headers {
  const isDecoded =
    url !== '' && /^(?:(?:x-)?gzip|deflate|br|[\s,])+$/i.test(headers.get('content-encoding') ?? '')
  if (!isDecoded) return headers
  const decoded = new Headers(headers)
  decoded.delete('content-encoding')
  return decoded
}

function headersOf(headers: Headers): ReplyHeaders {
  const cookies = headers.getSetCookie()
  const others = [...headers].filter(([name]) => name !== 'set-cookie')
  return Object.fromEntries(cookies.length === 0 ? others : [...others, ['set-cookie', cookies] as const])
}

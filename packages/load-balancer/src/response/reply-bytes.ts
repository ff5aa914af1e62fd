import type { Reply } from './reply.ts'

/** The body of a reply as it will stand on the wire. */
export function replyBytes({ body, isBase64Encoded }: Reply): Uint8Array {
  if (body instanceof Uint8Array) return body
  return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')
}

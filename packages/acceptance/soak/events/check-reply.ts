import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { see, type Visit, violation } from './visit.ts'

/** The response of a function. */
export interface Answered {
  readonly statusCode: number
  readonly headers?: { readonly [name: string]: string }
  readonly multiValueHeaders?: { readonly [name: string]: readonly string[] }
  readonly body?: string
  readonly isBase64Encoded: boolean
}

/** Records a violation unless a response is the expected one, and has no mark of another event. */
export function checkReply(
  { mark }: Visit,
  kind: string,
  reply: Answered,
  status: number,
  fields: readonly string[],
  isOnce: boolean,
): void {
  const header = (name: string) => reply.headers?.[name] ?? reply.multiValueHeaders?.[name]?.join()
  const content = bodyOf(reply, header('content-encoding'))
  see(`the body of ${kind}`, content)
  if (isOnce && reply.statusCode === 409) return
  const wrong = (what: string) =>
    violation(`${kind} of ${mark} has ${what}: ${JSON.stringify(reply)} ${content}`)
  if (reply.statusCode === 503 && /bearer|identity/.test(kind)) return
  if (reply.statusCode !== status) wrong(`the status ${reply.statusCode}`)
  const origin = header('access-control-allow-origin')
  if (origin !== `https://${mark}.shop.example`) wrong(`the origin ${origin}`)
  if (status === 410 && header('x-gone') !== mark) wrong('no header of its error')
  if (/\/(?:client|mapped)/.test(kind) && !content.includes(mark)) wrong('no detail of its error')
  if (fields.length === 0 || reply.statusCode !== status) return
  const values = JSON.parse(content) as Record<string, unknown>
  for (const field of fields) if (values[field] !== mark) wrong(`${field} ${values[field]}`)
}

function bodyOf({ body = '', isBase64Encoded }: Answered, encoding: string | undefined): string {
  const content = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  if (encoding === undefined) return content.toString()
  return (encoding === 'br' ? brotliDecompressSync(content) : gunzipSync(content)).toString()
}

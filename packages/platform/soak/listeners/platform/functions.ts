// The functions of the soak that behave well.
import { createHash } from 'node:crypto'

const ok = { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false, headers: {} }
const large = 'x'.repeat(1_000_000)

/** Answers with the body of the request, with the digest of the body, or with a megabyte. */
export async function shop({ path, body }: { readonly path: string; readonly body: string }) {
  if (path === '/large') return { ...ok, body: large }
  return { ...ok, body: body === '' ? path : createHash('sha256').update(body).digest('hex') }
}

export async function work(): Promise<object> {
  return { batchItemFailures: [] }
}

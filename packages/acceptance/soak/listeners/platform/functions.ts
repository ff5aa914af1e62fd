// The functions of the soak that do not misbehave.
import { createHash } from 'node:crypto'

const ok = { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false, headers: {} }
const large = 'x'.repeat(1_000_000)

/** Responds with the request body, with a digest of the request body, or with a megabyte of data. */
export async function shop({ path, body }: { readonly path: string; readonly body: string }) {
  if (path === '/large') return { ...ok, body: large }
  return { ...ok, body: body === '' ? path : createHash('sha256').update(body).digest('hex') }
}

export async function work(): Promise<object> {
  return { batchItemFailures: [] }
}

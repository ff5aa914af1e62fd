import { bodyAt, contentType } from '../answer.ts'

/** A function that does almost nothing, because the benchmark measures the platform. */
export const handler = async ({ path }: { readonly path: string }): Promise<unknown> => ({
  statusCode: 200,
  statusDescription: '200 OK',
  isBase64Encoded: false,
  headers: { 'content-type': contentType },
  body: bodyAt(path),
})

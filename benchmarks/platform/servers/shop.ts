import { body, contentType, largeBody, largePath } from '../answer.ts'

/** The cheapest function there is, since it is the platform that is measured. */
export const handler = async ({ path }: { readonly path: string }): Promise<unknown> => ({
  statusCode: 200,
  statusDescription: '200 OK',
  isBase64Encoded: false,
  headers: { 'content-type': contentType },
  body: path === largePath ? largeBody : body,
})

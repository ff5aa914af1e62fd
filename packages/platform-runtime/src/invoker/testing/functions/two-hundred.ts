/** A function that answers every request. */
export const handler = () => ({
  statusCode: 200,
  statusDescription: '200 OK',
  isBase64Encoded: false,
  headers: {},
  body: 'ok',
})

import { type PlainResponse, plainResponse } from './plain-response.ts'

/** The answer for what Node's parser gave up on. */
export function protocolError(error: Error & { readonly code?: string }): PlainResponse {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return plainResponse(431, 'The header lines are too long')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return plainResponse(413, 'The chunk extensions are too long')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return plainResponse(408, 'The request took too long')
    default:
      return plainResponse(400, 'The request is not HTTP')
  }
}

/** Whether there is nobody left to tell. */
export function isGone({ code }: Error & { readonly code?: string }): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE'
}

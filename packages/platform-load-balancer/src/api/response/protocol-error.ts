import { methods } from '@signalbox/load-balancer/contract'
import { type PlainResponse, plainResponse } from './plain-response.ts'

/** An error of Node's HTTP parser. */
interface ParserError extends Error {
  readonly code?: string
  /** The bytes that were being parsed. */
  readonly rawPacket?: Buffer
  /** The position of the error. */
  readonly bytesParsed?: number
}

/** Returns the response to an error of Node's HTTP parser. */
export function protocolError(error: ParserError): PlainResponse {
  switch (error.code) {
    case 'HPE_INVALID_METHOD':
    case 'HPE_INVALID_CONSTANT': {
      const method = methodOf(error)
      return method === undefined ? notHttp : unsupportedMethod(method)
    }
    case 'HPE_HEADER_OVERFLOW':
      return plainResponse(431, 'The head of the request is too long')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return plainResponse(413, 'The chunk extensions are too long')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return plainResponse(408, 'The request took too long')
    default:
      return notHttp
  }
}

/** The response to a request line above the size limit. */
export const lineTooLong = plainResponse(414, 'The request line is too long')

const notHttp = plainResponse(400, 'The request is not HTTP')

const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) \S+ HTTP\/1\.[01]\r?$/

/**
 * Returns the method of a request line that is valid except for the method. The parser stops at the first letter that
 * fits none of its methods, so this function reads the line again. A line that arrives in several chunks is not
 * recognized.
 */
function methodOf({ rawPacket = Buffer.alloc(0), bytesParsed = 0 }: ParserError): string | undefined {
  const start = rawPacket.subarray(0, bytesParsed).lastIndexOf('\n') + 1
  const end = rawPacket.indexOf('\n', bytesParsed)
  return requestLine.exec(rawPacket.toString('latin1', start, end < 0 ? undefined : end))?.[1]
}

/** Returns whether the client has closed or reset the connection, after which no reply can reach it. */
export function isGone({ code }: Error & { readonly code?: string }): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE'
}

/** Returns the response to a method that the contract does not support. */
export function unsupportedMethod(method: string): PlainResponse {
  return plainResponse(405, `The method ${method} is not supported`, [['allow', methods.join(', ')]])
}

/** The response to an expectation other than `100-continue`. */
export const unmetExpectation = plainResponse(417, 'The only supported expectation is 100-continue')

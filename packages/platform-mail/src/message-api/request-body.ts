import type { ControlRequest } from '@signalbox/platform-runtime'
import { readBody } from '@signalbox/platform-runtime/listener'
import { type ErrorCode, RefusedRequest } from './api-error.ts'

/**
 * Reads the body of a request.
 * @param limit the maximum number of bytes
 * @param errors the errors of a body that cannot be read
 * @throws RefusedRequest for a body that is too large, that arrives too slowly, or for which there is no memory
 */
export async function requestBody(
  { request, response, memory }: ControlRequest,
  limit: number,
  errors: { readonly tooLarge: ErrorCode; readonly tooSlow: ErrorCode; readonly noMemory: ErrorCode },
): Promise<Buffer> {
  const body = await readBody(request, limit, memory, response)
  if (body === 'too large')
    throw new RefusedRequest(errors.tooLarge, `The body has more than ${limit} bytes.`)
  if (body === 'no memory') throw new RefusedRequest(errors.noMemory, 'Too many requests. Try again later.')
  // A client that has disconnected does not get the error.
  if (body === 'too slow' || body === 'aborted')
    throw new RefusedRequest(errors.tooSlow, 'The body did not arrive as a whole in time.')
  const { buffer, byteOffset, byteLength } = body.bytes
  return Buffer.from(buffer, byteOffset, byteLength)
}

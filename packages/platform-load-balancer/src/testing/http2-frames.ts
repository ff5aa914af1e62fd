import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'

/** Frame types and flags (RFC 9113, 6). */
export const [data, headersType, rstStream, continuation] = [0, 1, 3, 9] as const
const settings = 4
export const [endStream, endHeaders] = [1, 4] as const

/** Returns a frame as bytes. */
export function frame(type: number, flags: number, id: number, payload = Buffer.alloc(0)): Buffer {
  const start = Buffer.alloc(9)
  start.writeUIntBE(payload.length, 0, 3)
  start.writeUInt8(type, 3)
  start.writeUInt8(flags, 4)
  start.writeUInt32BE(id, 5)
  return Buffer.concat([start, payload])
}

/** Returns a HEADERS frame for a request to `/`, with three fields of the static HPACK table and `:authority: a`. */
export function head(id: number, method: 'GET' | 'POST', flags: number): Buffer {
  const fields = Buffer.from([method === 'GET' ? 0x82 : 0x83, 0x87, 0x84, 0x41, 1, 0x61])
  return frame(headersType, endHeaders | flags, id, fields)
}

/** Opens a connection to which a test can write any frames. */
export async function frames(port: number) {
  const socket = connectTls({ port, ca: certificate.cert, servername: 'localhost', ALPNProtocols: ['h2'] })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  socket.resume()
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  socket.write(frame(settings, 0, 0))
  return socket
}

/** Returns the types of the complete frames in the received chunks. */
export function framesOf(received: readonly Buffer[]): number[] {
  return payloadsOf(received).map(({ type }) => type)
}

/** Returns the complete frames in the received chunks. */
export function payloadsOf(received: readonly Buffer[]) {
  const bytes = Buffer.concat(received)
  const found: { readonly type: number; readonly payload: Buffer }[] = []
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3))
    found.push({ type: bytes[at + 3]!, payload: bytes.subarray(at + 9, at + 9 + bytes.readUIntBE(at, 3)) })
  return found
}

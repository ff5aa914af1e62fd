import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:http2'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { LoadBalancerEvent } from '@signalbox/load-balancer/contract'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import * as fc from 'fast-check'
import {
  continuation,
  endHeaders,
  endStream,
  frame,
  frames,
  headersType,
  payloadsOf,
} from '../../testing/http2-frames.ts'
import { echo, type RunningBalancer, startBalancer } from '../../testing/running-balancer.ts'

const folder = temporaryFolder()
const tls = { cert: join(folder.path, 'cert.pem'), key: join(folder.path, 'key.pem') }
writeFileSync(tls.cert, certificate.cert)
writeFileSync(tls.key, certificate.key)

/** GET, https, the path / and `:authority: a`. */
const start = Buffer.from([0x82, 0x87, 0x84, 0x41, 1, 0x61])

/** Returns a field that is sent as it is. `kind` is 0x00 for a field outside the dynamic table, and 0x40 for one in it. */
function literal(name: string, value: string, kind = 0): Buffer {
  const [nameBytes, valueBytes] = [Buffer.from(name, 'latin1'), Buffer.from(value, 'latin1')]
  return Buffer.concat([
    Buffer.from([kind, nameBytes.length]),
    nameBytes,
    Buffer.from([valueBytes.length]),
    valueBytes,
  ])
}

describe('a request over HTTP/2 with a malformed field', () => {
  let balancer: RunningBalancer & { readonly port: number }
  const called: (string | undefined)[] = []
  beforeAll(async () => {
    const made = await startBalancer(
      (event: LoadBalancerEvent) => {
        called.push(event.headers?.['x-number'])
        return (echo as (event: object) => object)(event)
      },
      { tls },
    )
    balancer = Object.assign(made, { port: Number(new URL(made.url).port) })
  })
  afterAll(async () => {
    await balancer[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  /** Sends requests on one connection, and returns the statuses of the responses in order. */
  async function statuses(sent: readonly Buffer[], count: number) {
    const socket = await frames(balancer.port)
    const received: Buffer[] = []
    socket.on('data', (chunk: Buffer) => received.push(chunk))
    socket.write(Buffer.concat(sent))
    const heads = () => payloadsOf(received).filter(({ type }) => type === headersType)
    while (heads().length < count) await once(socket, 'data')
    socket.destroy()
    // The statuses 200 and 400 are in the static table.
    return heads().map(({ payload }) => ({ 136: 200, 140: 400 })[payload[0]!])
  }

  const request = (id: number, ...fields: readonly Buffer[]) =>
    frame(headersType, endHeaders | endStream, id, Buffer.concat([start, ...fields]))

  it.each([
    ['a blank in its name', literal('x y', 'a')],
    ['a name that is empty', literal('', 'a')],
    ['a name that is not ASCII', literal('x-\xe9', 'a')],
    ['a parenthesis in its name', literal('x(', 'a')],
    ['a control character in its value', literal('x-a', 'a\x01b')],
    ['NUL in its value', literal('x-a', 'a\0')],
    ['a line end in its value', literal('x-a', 'a\r\nx-b: 1')],
    ['DEL in its value', literal('x-a', 'a\x7f')],
    ['a blank before its value', literal('x-a', ' a')],
    ['a tab after its value', literal('x-a', 'a\t')],
    // The name of `cookie` from the static table, and a value in the Huffman code with a NUL: 13 bits, and padding.
    ['a malformed value in the Huffman code', Buffer.from([0x0f, 0x11, 0x82, 0xff, 0xc7])],
  ])(
    'is refused with 400 when the field has %s, while other requests of the connection are served',
    async (_, field) => {
      called.length = 0
      const sent = [
        request(1, literal('x-number', '1')),
        request(3, literal('x-number', '2'), field),
        request(5, literal('x-number', '3')),
      ]
      expect((await statuses(sent, 3)).sort()).toEqual([200, 200, 400])
      expect(called.sort()).toEqual(['1', '3'])
    },
  )

  it('is refused each time that the field comes from the compression table', async () => {
    const sent = [
      request(1, literal('x-a', 'b', 0x40), literal('x-c', 'd\x01', 0x40)),
      // The latest entry has the index 62. `:authority` of each request is an entry, too.
      request(3, Buffer.from([0xbf])),
      request(5, Buffer.from([0xc1])),
    ]
    expect((await statuses(sent, 3)).sort()).toEqual([200, 400, 400])
  })

  it('is refused when its header block comes in pieces', async () => {
    const block = Buffer.concat([start, literal('x-a', 'a\x01')])
    const pieces = [...block].map((_, at) => block.subarray(at, at + 1))
    const sent = pieces.map((piece, at) =>
      frame(
        at === 0 ? headersType : continuation,
        (at === 0 ? endStream : 0) | (at === pieces.length - 1 ? endHeaders : 0),
        1,
        piece,
      ),
    )
    // A frame with padding and a priority.
    const padded = Buffer.concat([
      Buffer.from([2, 0, 0, 0, 0, 15]),
      start,
      literal('x-a', 'a\x01'),
      Buffer.alloc(2),
    ])
    expect(await statuses([frame(headersType, endHeaders | endStream | 8 | 32, 1, padded)], 1)).toEqual([400])
    expect(
      await statuses(sent.slice(0, 7).concat(frame(continuation, endHeaders, 1, block.subarray(7))), 1),
    ).toEqual([400])
  })

  it('is the only one that is refused: any well-formed fields are served, however they are compressed', async () => {
    const client = connect(`https://localhost:${balancer.port}`, { ca: certificate.cert, host: '127.0.0.1' })
    const name = fc.stringMatching(/^x-[!#$%&'*+.^_`|~\da-z-]{1,12}$/)
    const value = fc.uint8Array({ maxLength: 60 }).map(bytes =>
      Buffer.from(bytes)
        .toString('latin1')
        .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')
        .replaceAll(/^[\t ]+|[\t ]+$/g, ''),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 8 }), async fields => {
        const stream = client.request({ ':path': '/', ...Object.fromEntries(fields) })
        const [answer] = (await once(stream, 'response')) as [Record<string, unknown>]
        expect([answer[':status'], JSON.parse(await text(stream)).headers]).toEqual([
          200,
          expect.objectContaining(Object.fromEntries(fields)),
        ])
      }),
      { numRuns: 100 },
    )
    client.destroy()
  })
})

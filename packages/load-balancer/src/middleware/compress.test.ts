import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { headerModes } from '../../fixtures/header-modes.ts'
import { bytes, get, group, html, json, loadBalancer, type Reply, text } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'
import { type CompressOptions, compress } from './compress.ts'

const long = 'a long text '.repeat(200)

describe.each(headerModes)('compress() with %s', (_headers, multiValue) => {
  async function ask(reply: Reply, acceptEncoding: string | undefined, options: CompressOptions = {}) {
    const handler = signalbox(loadBalancer([get('/', () => reply)], { log: () => undefined })).use(
      compress(options),
    )
    const headers: Record<string, string> =
      acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }
    return exchange(handler, httpEvent('GET', '/', { headers, multiValue }))
  }

  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['GZIP ; Q=1', 'gzip'],
    ['*', 'br'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['gzip;q=0.5, identity', undefined],
    ['identity;q=0.1, gzip;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['gzip;q=x', undefined],
    ['deflate', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('answers the Accept-Encoding %p with the Content-Encoding %p', async (accepted, encoding) => {
    const result = await ask(json(long), accepted)
    expect(result.header('content-encoding')).toEqual(encoding === undefined ? [] : [encoding])
    expect(result.header('vary')).toEqual(['accept-encoding'])
    const { body } = result.verdict
    const plain =
      encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body
    expect(JSON.parse(Buffer.from(plain).toString())).toBe(long)
  })

  it('keeps the default content type of a text body', async () => {
    const result = await ask({ statusCode: 200, body: long }, 'gzip')
    expect(result.header('content-encoding')).toEqual(['gzip'])
    expect(result.header('content-type')).toEqual(['text/plain; charset=utf-8'])
  })

  it.each([
    ['text/css', 'compressed'],
    ['application/json; charset=utf-8', 'compressed'],
    ['application/problem+json', 'compressed'],
    ['application/atom+xml', 'compressed'],
    ['image/svg+xml', 'compressed'],
    ['application/javascript', 'compressed'],
    ['image/png', 'plain'],
    ['application/zip', 'plain'],
    ['application/octet-stream', 'plain'],
  ])('sends %s %s', async (type, state) => {
    const compressed = state === 'compressed'
    const result = await ask(bytes(Buffer.from(long), { headers: { 'content-type': type } }), 'gzip')
    expect(result.header('content-encoding')).toEqual(compressed ? ['gzip'] : [])
    expect(result.header('vary')).toEqual(compressed ? ['accept-encoding'] : [])
  })

  it('compresses text without a content type, and decodes Base64 before it compresses', async () => {
    expect((await ask({ statusCode: 200, body: long }, 'gzip')).header('content-encoding')).toEqual(['gzip'])
    const encoded = { statusCode: 200, body: Buffer.from(long).toString('base64'), isBase64Encoded: true }
    expect((await ask(encoded, 'gzip')).header('content-encoding')).toEqual([])
    const typed = await ask({ ...encoded, headers: { 'content-type': 'text/plain' } }, 'gzip')
    expect(gunzipSync(typed.verdict.body).toString()).toBe(long)
  })

  it('leaves bodies below the threshold of 1 KB unchanged', async () => {
    expect((await ask(text('a'.repeat(1023)), 'br')).header('content-encoding')).toEqual([])
    expect((await ask(text('a'.repeat(1024)), 'br')).header('content-encoding')).toEqual(['br'])
    expect((await ask(text('a'), 'br', { threshold: 0 })).header('content-encoding')).toEqual(['br'])
  })

  it('leaves encoded, no-transform and partial responses unchanged', async () => {
    const encodings = async (reply: Reply) => (await ask(reply, 'br')).header('content-encoding')
    expect(await encodings(text(long, { headers: { 'Content-Encoding': 'zstd' } }))).toEqual(['zstd'])
    expect(await encodings(text(long, { headers: { 'cache-control': 'max-age=5, No-Transform' } }))).toEqual(
      [],
    )
    for (const status of [204, 205, 206, 304]) expect(await encodings(text(long, { status }))).toEqual([])
  })

  it('adds the same Vary header to a 304 as to a 200 response', async () => {
    const result = await ask({ statusCode: 304, headers: { etag: 'W/"1"', vary: 'origin' } }, 'br')
    expect([result.header('vary'), result.header('content-encoding')]).toEqual([
      ['origin, accept-encoding'],
      [],
    ])
  })

  it('turns a strong etag into a weak etag', async () => {
    expect((await ask(text(long, { headers: { etag: '"1"' } }), 'br')).header('etag')).toEqual(['W/"1"'])
    expect((await ask(text(long, { headers: { etag: 'W/"1"' } }), 'br')).header('etag')).toEqual(['W/"1"'])
    expect((await ask(text('short', { headers: { etag: '"1"' } }), 'br')).header('etag')).toEqual(['"1"'])
  })

  it('allows a body above 1 MB if its compressed size is below 1 MB', async () => {
    const big = html('<p>'.repeat(1_000_000))
    expect(await ask(big, 'gzip')).toMatchObject({ status: 200 })
    expect(await ask(big, undefined)).toMatchObject({ status: 500 })
  })

  it('can be one of the middlewares of a group', async () => {
    const handler = signalbox(loadBalancer([group('/g', [compress()], [get('/', () => text(long))])]))
    const event = httpEvent('GET', '/g', { multiValue, headers: { 'accept-encoding': 'gzip' } })
    expect(gunzipSync((await exchange(handler, event)).verdict.body).toString()).toBe(long)
  })
})

it.each([
  [{ threshhold: 1 }, 'Did you mean threshold?'],
  [{ threshold: Number.NaN }, 'threshold is NaN'],
])('compress() refuses the options %j', (options, message) => {
  expect(() => compress(options as never)).toThrow(message)
})

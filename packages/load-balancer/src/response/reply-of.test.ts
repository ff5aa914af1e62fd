import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Middleware, type Request, signalbox } from '@signalbox/core'
import { headerModes } from '../../fixtures/header-modes.ts'
import { get, loadBalancer, securityHeaders, text } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'
import { replyOf } from './reply-of.ts'

const compressed = gzipSync('plain')
const server = createServer((request, response) => {
  const encoding = request.url === '/gzip' ? 'gzip' : 'of-our-own'
  response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': encoding }).end(compressed)
})
let origin: string

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => void server.close())

it('replyOf() removes the content-encoding of a response from fetch(), because fetch() has decoded the body', async () => {
  const reply = await replyOf(await fetch(`${origin}/gzip`))
  expect(reply.body).toBe('plain')
  expect(reply.headers).toMatchObject({ 'content-type': 'text/plain' })
  expect(reply.headers).not.toHaveProperty('content-encoding')
})

it('replyOf() keeps the content-encoding of a response with an encoded body', async () => {
  const fetched = await replyOf(await fetch(`${origin}/other`))
  expect(fetched).toMatchObject({ headers: { 'content-encoding': 'of-our-own' }, body: compressed })
  const made = await replyOf(new Response(compressed, { headers: { 'content-encoding': 'gzip' } }))
  expect(made).toMatchObject({ headers: { 'content-encoding': 'gzip' }, body: compressed })
})

const made = () => new Response('made', { status: 203 })
const put = (request: Request) => {
  request.response = made()
}

describe.each(headerModes)('a Web Response from a middleware in use(), with %s', (_headers, multiValue) => {
  it.each<[string, Middleware, boolean]>([
    ['is sent when a before hook returns it', { before: made }, false],
    ['is sent when a before hook returns a promise of it', { before: async () => made() }, false],
    ['is sent when an after hook returns it', { after: made }, false],
    ['is sent and passed to later hooks when an after hook assigns it', { after: put }, true],
    ['is sent when an onError hook returns it', { onError: made }, false],
    ['is sent and passed to later hooks when an onError hook assigns it', { onError: put }, true],
  ])('%s', async (_when, hook, reachesOthers) => {
    const route = get('/a', () => {
      if (hook.onError) throw new Error('broken')
      return text('a')
    })
    const handler = signalbox(loadBalancer([route])).use([securityHeaders(), hook])
    const result = await exchange(handler, httpEvent('GET', '/a', { multiValue }))
    expect(result).toMatchObject({ status: 203, text: 'made' })
    expect(result.header('x-frame-options')).toEqual(reachesOthers ? ['DENY'] : [])
  })
})

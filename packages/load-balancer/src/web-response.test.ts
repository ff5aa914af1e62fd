import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { replyOf } from './web-response.ts'

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

it('what fetch has decoded does not say that it is encoded', async () => {
  const reply = await replyOf(await fetch(`${origin}/gzip`))
  expect(reply.body).toBe('plain')
  expect(reply.headers).toMatchObject({ 'content-type': 'text/plain' })
  expect(reply.headers).not.toHaveProperty('content-encoding')
})

it('what is encoded still says so', async () => {
  const fetched = await replyOf(await fetch(`${origin}/other`))
  expect(fetched).toMatchObject({ headers: { 'content-encoding': 'of-our-own' }, body: compressed })
  const made = await replyOf(new Response(compressed, { headers: { 'content-encoding': 'gzip' } }))
  expect(made).toMatchObject({ headers: { 'content-encoding': 'gzip' }, body: compressed })
})

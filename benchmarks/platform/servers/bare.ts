// The limit: node:http, and the same bytes. The argument asks for an option that the load balancer sets too.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { body, contentType } from '../answer.ts'
import { report } from './report.ts'

const length = String(Buffer.byteLength(body))
const optimizeEmptyRequests = process.argv[2] === 'optimized'
const server = createServer({ keepAliveTimeout: 60_000, optimizeEmptyRequests }, (_request, response) => {
  response.writeHead(200, 'OK', ['content-type', contentType, 'content-length', length])
  response.end(body)
})
server.listen(0, '127.0.0.1', () => report(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))

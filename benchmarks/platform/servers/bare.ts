// A plain node:http server that sends the same bytes as the platform, as the upper bound. The argument `optimized`
// enables `optimizeEmptyRequests`, which the load balancer also enables.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { body, contentType, largeBody, largePath } from '../answer.ts'
import { report } from './report.ts'

const length = String(Buffer.byteLength(body))
const largeLength = String(Buffer.byteLength(largeBody))
const optimizeEmptyRequests = process.argv[2] === 'optimized'
const server = createServer({ keepAliveTimeout: 60_000, optimizeEmptyRequests }, (request, response) => {
  const isLarge = request.url === largePath
  response.writeHead(200, 'OK', [
    'content-type',
    contentType,
    'content-length',
    isLarge ? largeLength : length,
  ])
  response.end(isLarge ? largeBody : body)
})
server.listen(0, '127.0.0.1', () => report(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))

// A plain node:http server that sends the same bytes as the platform, as the upper bound. The argument `optimized`
// enables `optimizeEmptyRequests`, which the load balancer also enables.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bodyAt, contentType, paths } from '../answer.ts'
import { report } from './report.ts'

const lengths = new Map<string, string>(paths.map(path => [path, String(Buffer.byteLength(bodyAt(path)))]))
const optimizeEmptyRequests = process.argv[2] === 'optimized'
const server = createServer({ keepAliveTimeout: 60_000, optimizeEmptyRequests }, (request, response) => {
  const path = request.url!
  response.writeHead(200, 'OK', ['content-type', contentType, 'content-length', lengths.get(path)!])
  response.end(bodyAt(path))
})
server.listen(0, '127.0.0.1', () => report(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))

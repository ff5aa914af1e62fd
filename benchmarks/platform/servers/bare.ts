// The limit: node:http, and the same bytes.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { body, contentType } from '../answer.ts'
import { report } from './report.ts'

const length = String(Buffer.byteLength(body))
const server = createServer({ keepAliveTimeout: 60_000 }, (_request, response) => {
  response.writeHead(200, 'OK', ['content-type', contentType, 'content-length', length])
  response.end(body)
})
server.listen(0, '127.0.0.1', () => report(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))

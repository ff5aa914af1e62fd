import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { STATUS_CODES } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, it } from '@jest/globals'
import { createServer, statusCodes } from './http.ts'

it('statusCodes contains the status codes and reason phrases of Node', () => {
  expect(statusCodes).toBe(STATUS_CODES)
})

it.each([
  ['connect', 'CONNECT a:1 HTTP/1.1'],
  ['upgrade', 'GET / HTTP/1.1\r\nUpgrade: x\r\nConnection: upgrade'],
  ['clientError', 'nonsense'],
])('a socket that Node detaches with a "%s" event has an error listener', async (event, head) => {
  const server = createServer({ answersHalfClosed: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const detached = new Promise<Socket>(resolve =>
    server.on(event, (_first, socket: Socket) => resolve(socket)),
  )
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write(`${head}\r\nHost: a\r\n\r\n`)
  const socket = await detached
  // This is the error that the system reports when the client resets the connection.
  const closed = new Promise(resolve => socket.once('close', resolve))
  socket.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
  await closed
  client.destroy()
  server.close()
})

it('a server keeps running when the system cannot accept a connection', () => {
  expect(() =>
    createServer({ answersHalfClosed: true }).emit('error', new Error('accept ENFILE')),
  ).not.toThrow()
})

it('an idle connection stays open for more than five seconds', async () => {
  const server = createServer({ answersHalfClosed: true }, (_request, response) => response.end()).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect(headers.get('keep-alive')).toBe('timeout=60')
  server.closeAllConnections()
  server.close()
})

it('a listener does not load the Node HTTP client', () => {
  const loaded = (module: string) =>
    execFileSync(process.execPath, [
      '--input-type=module',
      '-e',
      `await import(${JSON.stringify(module)}); console.log(process.moduleLoadList.join('\\n'))`,
    ]).toString()
  expect(loaded(new URL('./http.ts', import.meta.url).href)).not.toContain('undici')
  expect(loaded('node:http')).toContain('undici')
})

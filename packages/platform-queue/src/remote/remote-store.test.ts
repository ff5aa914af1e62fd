import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, it } from '@jest/globals'
import { listeningQueues } from '../testing/queue-engines.ts'
import { connect } from './connect.ts'

const contentType = 'application/x-amz-json-1.0'

/** Returns an engine that answers the first `receives` receives and refuses all later ones. */
async function tiredEngine(receives: number) {
  const setup = await listeningQueues()
  let left = receives
  const server = createServer(async (request, response) => {
    const target = String(request.headers['x-amz-target'])
    const body = await buffer(request)
    if (target.endsWith('.ReceiveMessage') && left-- <= 0) {
      response.writeHead(403, { 'content-type': contentType, 'x-amzn-query-error': 'AccessDenied;Sender' })
      return void response.end('{"__type":"AccessDenied","message":"Enough."}')
    }
    const headers = { 'content-type': contentType, 'x-amz-target': target }
    const answer = await fetch(setup.url, { method: 'POST', headers, body })
    response.writeHead(answer.status, { 'content-type': contentType }).end(await answer.text())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const store = await connect({ endpoint: `http://127.0.0.1:${port}` })
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close()
      server.close()
      server.closeAllConnections()
      await setup.end()
    },
  }
}

it('if a receive request fails, a remote store returns the messages received so far, or throws if there are none', async () => {
  await using engine = await tiredEngine(1)
  const { store } = engine
  await store.createQueue('orders')
  await store.send(
    'orders',
    Array.from({ length: 25 }, (_, at) => ({ body: `${at}` })),
  )
  expect(await store.receive('orders', { max: 25, wait: 0 })).toHaveLength(10)
  await expect(store.receive('orders', { max: 25, wait: 0 })).rejects.toThrow('Enough.')
})

it.each(['AWS.SimpleQueueService.BatchRequestTooLong', 'BatchRequestTooLong', 'RequestEntityTooLarge'])(
  'a request that is too large for the service is an error of its content: %s',
  async type => {
    const server = createServer((_request, response) => {
      response.writeHead(400, { 'content-type': contentType, 'x-amzn-query-error': `${type};Sender` })
      response.end(
        JSON.stringify({ __type: `com.amazonaws.sqs#${type.split('.').at(-1)}`, message: 'Too long.' }),
      )
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const store = await connect({ endpoint: `http://127.0.0.1:${port}` })
    try {
      await expect(store.send('orders', [{ body: 'a' }])).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    } finally {
      await store.close()
      server.close()
      server.closeAllConnections()
    }
  },
)

// An extension: it registers for events, subscribes to telemetry, and writes all that it gets to a file.
import { appendFileSync, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const [, , name, file, mode = 'good'] = process.argv as unknown as [string, string, string, string, string?]
const base = `http://${process.env.AWS_LAMBDA_RUNTIME_API}`
const note = (what: unknown) => appendFileSync(file, `${JSON.stringify(what)}\n`)

const registration = await fetch(`${base}/2020-01-01/extension/register`, {
  method: 'POST',
  headers: { 'Lambda-Extension-Name': name, 'Lambda-Extension-Accept-Feature': 'accountId' },
  body: JSON.stringify({ events: mode === 'wrong' ? ['BEGIN'] : ['INVOKE', 'SHUTDOWN'] }),
})
note({ registered: registration.status, ...((await registration.json()) as object) })
const headers = {
  'Lambda-Extension-Identifier': registration.headers.get('lambda-extension-identifier') ?? '',
}
if (mode === 'wrong') process.exit(1)
if (mode === 'init error') {
  await fetch(`${base}/2020-01-01/extension/init/error`, {
    method: 'POST',
    headers: { ...headers, 'Lambda-Extension-Function-Error-Type': 'Extension.NoKey' },
    body: JSON.stringify({ errorMessage: 'the key is missing' }),
  })
  process.exit(1)
}

const server = createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', part => {
    text += part
  })
  request.on('end', () => {
    for (const { type, record } of JSON.parse(text) as readonly { type: string; record: unknown }[])
      note({ type, record })
    response.end()
  })
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const subscribe = async (body: object) => {
  const { status } = await fetch(`${base}/2022-07-01/telemetry`, {
    method: 'PUT',
    headers,
    body: JSON.stringify(body),
  })
  note({ subscribed: status })
}
const subscription = {
  schemaVersion: '2022-12-13',
  types: ['platform', 'function'],
  buffering: { maxItems: 1000, maxBytes: 262_144, timeoutMs: 25 },
}
await subscribe({ ...subscription, destination: { protocol: 'HTTP', URI: 'http://example.com/' } })
await subscribe({
  ...subscription,
  destination: { protocol: 'HTTP', URI: `http://sandbox.localdomain:${port}` },
})

for (;;) {
  const event = (await (await fetch(`${base}/2020-01-01/extension/event/next`, { headers })).json()) as {
    readonly eventType: string
    readonly requestId?: string
    readonly shutdownReason?: string
  }
  const { eventType, requestId, shutdownReason } = event
  note({ eventType, requestId, shutdownReason })
  if (eventType === 'SHUTDOWN') process.exit(0)
  if (mode === 'exits') process.exit(9)
  if (mode === 'waits') while (!existsSync(`${file}.go`)) await delay(10)
}

// The limit of a function in two instances: a node:http server that gets each answer from one of two processes, over a
// socket. The bytes are those that the platform and its instances exchange: an event there, and an answer back, one at a
// time for each process. Each message is its length, and then its bytes. Nothing is parsed or checked.
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { requestEvent } from '@signalbox/load-balancer/contract'
import { bodyAt, contentType, paths } from '../answer.ts'
import { report } from './report.ts'
import { handler } from './shop.ts'

const isFunction = process.argv[2] === 'function'
if (isFunction) answerAll()
else serve()

/** Answers messages. The first byte of each is the position of its path. */
async function answerAll(): Promise<void> {
  const answers = await Promise.all(paths.map(async path => message(await answerText(path))))
  const socket = new Socket({ fd: 3, readable: true, writable: true })
  onMessage(socket, bytes => void socket.write(answers[bytes[0]!]!))
}

/** Returns an answer as an instance sends it: a long body stands behind the JSON, as it is. */
async function answerText(path: string): Promise<string> {
  const answer = (await handler({ path })) as { readonly body: string }
  return answer.body.length < 16_384
    ? JSON.stringify(answer)
    : `"body"\n${JSON.stringify({ ...answer, body: '' })}\n${answer.body}`
}

function serve(): void {
  const waiting: { readonly path: string; readonly response: ServerResponse }[] = []
  const idle: Socket[] = []
  const running = new Map<Socket, (typeof waiting)[number]>()
  const bodies = new Map<string, Buffer>()
  const events = new Map(paths.map((path, at) => [path as string, eventAt(path, at)]))
  const assign = () => {
    while (waiting.length > 0 && idle.length > 0) {
      const socket = idle.pop()!
      const next = waiting.shift()!
      running.set(socket, next)
      socket.write(events.get(next.path)!)
    }
  }
  for (let instance = 0; instance < 2; instance++) {
    const child: ChildProcess = spawn(
      process.execPath,
      [...process.execArgv, fileURLToPath(import.meta.url), 'function'],
      {
        stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
      },
    )
    const socket = child.stdio[3] as Socket
    idle.push(socket)
    onMessage(socket, bytes => {
      const { path, response } = running.get(socket)!
      const length = bodyAt(path).length
      response.writeHead(200, 'OK', ['content-type', contentType, 'content-length', String(length)])
      // The last bytes are sent, which are as many, and the body itself if the answer is long.
      const body = bytes.subarray(bytes.length - length)
      response.end(length < 16_384 ? (bodies.get(path) ?? body) : body)
      idle.push(socket)
      assign()
    })
  }
  for (const path of paths) bodies.set(path, Buffer.from(bodyAt(path)))
  const server = createServer({ keepAliveTimeout: 60_000 }, ({ url }, response) => {
    waiting.push({ path: url!, response })
    assign()
  })
  server.listen(0, '127.0.0.1', () => report(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
}

function eventAt(path: string, at: number): Buffer {
  const headers = [
    ['host', '127.0.0.1:12345'],
    ['connection', 'keep-alive'],
    ['x-forwarded-for', '127.0.0.1'],
    ['x-forwarded-port', '12345'],
    ['x-forwarded-proto', 'http'],
    ['x-cloud-trace-id', 'Root=1-00000000-000000000000000000000000'],
  ] as const
  const event = requestEvent({ method: 'GET', path, headers }, { targetGroupArn: 'arn', multiValue: false })
  const head = { requestId: '00000000-0000-0000-0000-000000000000', granted: 30_000, takesValue: true }
  return message(`${at}${JSON.stringify(head)}\n${JSON.stringify(event)}`, at)
}

/** Returns a text as a message. */
function message(text: string, first?: number): Buffer {
  const bytes = Buffer.from(`....${text}`)
  bytes.writeUInt32LE(bytes.length - 4)
  if (first !== undefined) bytes[4] = first
  return bytes
}

/** Calls `take` with each message. */
function onMessage(socket: Socket, take: (bytes: Buffer) => void): void {
  let parts: Buffer[] = []
  let length = 0
  socket.on('data', (part: Buffer) => {
    parts.push(part)
    length += part.length
    // There is one message at a time.
    if (length < 4 || length < 4 + parts[0]!.readUInt32LE()) return
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts, length)
    parts = []
    length = 0
    take(bytes.subarray(4))
  })
  socket.on('close', () => process.exit())
}

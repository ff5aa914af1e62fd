import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { hostileTexts } from '@signalbox/telemetry/testing/hostile-texts'
import type { Listeners } from './honest-clients.ts'

/** An attack that hostile clients repeat against one listener. */
export interface Attack {
  readonly name: string
  /** Milliseconds between two attacks. */
  readonly every: number
  readonly run: (turn: number) => Promise<void>
}

/** An HTTP listener, and valid requests to it. */
interface Target {
  readonly name: string
  readonly url: string
  /** A request with a large response body, if the listener has large responses. */
  readonly asks: string
  /** Returns a request with the given text in its body. Undefined if the listener accepts no request bodies. */
  readonly sends: ((text: string) => string) | undefined
}

const head = (line: string, ...lines: readonly string[]) =>
  `${[line, 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`
const post = (path: string, body: string, ...lines: readonly string[]) =>
  head(`POST ${path} HTTP/1.1`, `Content-Length: ${Buffer.byteLength(body)}`, ...lines) + body

function targets({ shop, queues, control }: Listeners): readonly Target[] {
  const sqs = (operation: string, input: object) =>
    post(
      '/',
      JSON.stringify({ QueueUrl: `${queues}/000000000000/hostile`, ...input }),
      'Content-Type: application/x-amz-json-1.0',
      `X-Amz-Target: AmazonSQS.${operation}`,
    )
  const sends = (text: string) => sqs('SendMessage', { MessageBody: text.slice(0, 100_000) })
  const received = { MaxNumberOfMessages: 10, VisibilityTimeout: 1 }
  return [
    { name: 'load balancer', url: shop, asks: head('GET /large HTTP/1.1'), sends: text => post('/a', text) },
    { name: 'queues', url: queues, asks: sqs('ReceiveMessage', received), sends },
    { name: 'control', url: control, asks: head('GET /mail/none HTTP/1.1'), sends: undefined },
  ]
}

/** Whether clients can use different addresses. On Linux, all addresses in 127.0.0.0/8 belong to this machine. */
const hasAddresses = process.platform === 'linux'

/** The number of connections that an attack with many clients holds open. It exceeds the limit of every listener. */
const connectionCount = 5000

/**
 * The number of connections that an attack with many clients opens per second. Node accepts one connection in each turn
 * of its event loop. More connections would fill the system's queue, in which a listener cannot tell clients apart.
 */
const connectionRate = 150

/**
 * Returns all attacks on all listeners. Hostile clients use eight addresses, but never the address of honest clients.
 * @param share the fraction of the usual rates, up to 1
 */
export function attacks(urls: Listeners, random: () => number, share: number): readonly Attack[] {
  const address = () => (hasAddresses ? `127.0.0.${2 + Math.floor(random() * 8)}` : undefined)
  const open = (url: string): Socket => {
    const { hostname, port } = new URL(url)
    const localAddress = address()
    return connect({ host: hostname, port: Number(port), ...(localAddress && { localAddress }) })
      .on('error', () => {})
      .setNoDelay()
  }
  /** Reads the response, and resets the connection after some time. */
  const leaving = async (socket: Socket, time: number) => {
    socket.resume()
    await delay(time)
    socket.resetAndDestroy()
  }
  const noise = (size: number) => Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256)))
  const hostileText = (size: number) => {
    const names = Object.keys(hostileTexts)
    return hostileTexts[names[Math.floor(random() * names.length)]!]!(size)
  }

  const manyClients =
    (url: string): Attack['run'] =>
    async () => {
      const until = Date.now() + 40_000 * share
      const sockets = new Set<Socket>()
      while (Date.now() < until) {
        for (let i = 0; i < (connectionRate * share) / 20 && sockets.size < connectionCount * share; i++) {
          const socket = open(url)
          sockets.add(socket)
          socket.on('close', () => sockets.delete(socket)).resume()
        }
        await delay(50)
      }
      for (const socket of sockets) socket.resetAndDestroy()
    }

  /** Breaks off each conversation one byte later than the previous one, with a reset or a half-close. */
  const everyByte = (url: string, texts: readonly string[]): Attack['run'] => {
    const starts = texts.flatMap(text => Array.from(text, (_, at) => text.slice(0, at + 1)))
    return async turn => {
      const socket = open(url)
      socket.write(starts[turn % starts.length]!, 'latin1')
      if (turn % 3 === 0) socket.end()
      await leaving(socket, turn % 3 === 0 ? 2000 : turn % 7)
    }
  }

  const http = targets(urls).flatMap(({ name, url, asks, sends }): readonly Attack[] => [
    {
      name: `${name}: pipelines of 2,000 requests that are never read`,
      every: 5000,
      async run() {
        const socket = open(url).pause()
        socket.write(asks.repeat(2000))
        await delay(15_000)
        socket.resetAndDestroy()
      },
    },
    {
      name: `${name}: bodies at a byte a second`,
      every: 1000,
      async run() {
        const socket = open(url)
        socket.resume().write(head('POST / HTTP/1.1', 'Content-Length: 900000') + 'a'.repeat(100_000))
        for (let second = 0; second < 30 && !socket.destroyed; second++) {
          await delay(1000)
          socket.write('a')
        }
        socket.resetAndDestroy()
      },
    },
    {
      name: `${name}: resets and half-closes at every byte`,
      every: 50,
      run: everyByte(url, [
        asks + asks,
        `${head('POST / HTTP/1.1', 'Transfer-Encoding: chunked')}3\r\nabc\r\n0\r\n\r\n`,
        post('/', 'abc', 'Expect: 100-continue'),
      ]),
    },
    {
      name: `${name}: CONNECT and Upgrade with resets`,
      every: 100,
      async run(turn) {
        const socket = open(url)
        const upgrade = (to: string) => head('GET / HTTP/1.1', `Upgrade: ${to}`, 'Connection: upgrade')
        const texts = ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\nmore', upgrade('h2c'), upgrade('websocket')]
        socket.write(texts[turn % texts.length]!)
        await leaving(socket, turn % 11)
      },
    },
    {
      name: `${name}: noise`,
      every: 200,
      async run() {
        const socket = open(url)
        socket.write(noise(1 + random() * 2000))
        await leaving(socket, 1000)
      },
    },
    ...(sends === undefined
      ? []
      : [
          {
            name: `${name}: keys and values that are hard to mask`,
            every: 1000,
            async run() {
              const socket = open(url)
              socket.write(sends(hostileText(300_000)))
              await leaving(socket, 5000)
            },
          },
        ]),
  ])

  const first = Math.floor(random() * 4)
  const connectionFloods: Attack = {
    name: `floods of ${connectionCount * share} idle connections at every listener in turn, ${connectionRate * share} a second`,
    every: 45_000 * share,
    run: turn => manyClients([urls.shop, urls.queues, urls.control, urls.mail][(first + turn) % 4]!)(turn),
  }

  const greeting = 'EHLO client\r\nMAIL FROM:<>\r\n'
  const mail = `${greeting}RCPT TO:<mallory@office.example>\r\nDATA\r\n`
  const smtp = (
    name: string,
    every: number,
    run: (socket: Socket, turn: number) => Promise<void>,
  ): Attack => ({
    name: `mail: ${name}`,
    every,
    run: turn => run(open(urls.mail), turn),
  })
  const mailAttacks: readonly Attack[] = [
    {
      name: 'mail: resets and half-closes at every byte',
      every: 50,
      run: everyByte(urls.mail, [`${mail}A: b\r\n\r\n..\r\n.\r\nQUIT\r\n`]),
    },
    smtp('floods of 5,000 commands that are never read', 2000, async socket => {
      socket.pause().write('NOOP\r\n'.repeat(5000))
      await delay(5000)
      socket.resetAndDestroy()
    }),
    smtp('noise', 500, async socket => {
      socket.write(noise(2000))
      await leaving(socket, 1000)
    }),
    smtp('unknown recipients', 500, async socket => {
      socket.write(greeting + 'RCPT TO:<none@elsewhere.example>\r\n'.repeat(50))
      await leaving(socket, 1000)
    }),
    smtp('mails at a line a second', 1000, async socket => {
      socket.resume().write(mail)
      for (let second = 0; second < 30 && !socket.destroyed; second++) {
        await delay(1000)
        socket.write('a\r\n')
      }
      socket.resetAndDestroy()
    }),
    smtp('mails that are hard to read, to a function that misbehaves', 2000, async (socket, turn) => {
      const act = ['exit', 'hang', 'write', 'throw', 'large', 'lines', 'nothing'][turn % 7]
      const rcpt = `RCPT TO:<wild-${act}@office.example>\r\nDATA\r\n`
      const text = hostileText(100_000)
        .replaceAll(/[\r\n]/g, '')
        .slice(0, 900)
      socket.write(
        `${greeting}${rcpt}Subject: ${text}\r\n${'(<"'.repeat(10_000)}\r\n\r\n${text}\r\n.\r\nQUIT\r\n`,
      )
      await leaving(socket, 5000)
    }),
  ]
  return [...http, ...mailAttacks, connectionFloods].map(attack =>
    attack === connectionFloods ? attack : { ...attack, every: attack.every / share },
  )
}

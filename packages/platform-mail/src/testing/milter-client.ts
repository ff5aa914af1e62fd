import { connect, type Socket } from 'node:net'

/** A packet that a filter has sent. */
interface FilterPacket {
  readonly code: string
  readonly data: Buffer
}

/** What a mail server offers to a filter. The defaults are those of Postfix. */
export interface Offer {
  readonly version?: number
  readonly actions?: number
  readonly steps?: number
}

/** A mail that a mail server asks about. */
export interface AskedMail {
  /** The path with its parameters, such as `['<ann@far.example>', 'SMTPUTF8']`. */
  readonly from?: readonly string[]
  readonly to?: readonly string[]
  /** The headers with their values, which begin with a space as a rule. */
  readonly headers?: readonly (readonly [string, string | Buffer])[]
  readonly body?: string | Buffer
  /** The macros of the sender and of each recipient, by their names. */
  readonly macros?: {
    readonly sender?: { readonly [name: string]: string }
    readonly recipient?: (path: string) => { readonly [name: string]: string }
  }
}

/** A header that a filter inserts, changes or removes. */
export interface ChangedHeader {
  readonly code: 'i' | 'm'
  readonly index: number
  readonly name: string
  readonly value: string
}

/** What a filter has answered to a mail. */
export interface Answered {
  /** The code and the text of the reply, such as `y 550 5.7.1 No`. */
  readonly reply: string
  /** The changes in their order, such as `- <ann@office.example>` and `i 0 X-Spam-Flag: YES`. */
  readonly changes: readonly string[]
  /** The changes of headers in their order, with all their bytes (Latin-1). */
  readonly headers: readonly ChangedHeader[]
  /** The body that replaces that of the mail. Undefined without one. */
  readonly body: Buffer | undefined
  /** The number of signs of progress. */
  readonly progress: number
}

/** A mail server that speaks the milter protocol as Postfix does, and fails when the filter breaks it. */
export interface MilterClient extends AsyncDisposable {
  readonly socket: Socket
  /** The masks that the filter has answered with. */
  readonly agreed: { readonly version: number; readonly actions: number; readonly steps: number }
  /** Sends an event, and waits for its reply if one was agreed on. */
  readonly event: (code: string, ...data: readonly (string | Buffer)[]) => Promise<void>
  /** Sends the events of a mail up to its end, without it. */
  readonly begin: (mail?: AskedMail) => Promise<void>
  /** Sends the end of a mail, and waits for the answer. */
  readonly end: () => Promise<Answered>
  /** Asks about a mail, and ends it as Postfix does, with an abort. */
  readonly ask: (mail?: AskedMail) => Promise<Answered>
  /** Resolves when the filter has closed the connection. */
  readonly closed: Promise<void>
}

/** The bits with which a filter says that it does not reply to an event. */
const withoutReply: { readonly [code: string]: number } = {
  ...{ C: 0x1000, H: 0x2000, M: 0x4000, R: 0x8000, T: 0x1_0000, U: 0x2_0000 },
  ...{ L: 0x80, N: 0x4_0000, B: 0x8_0000 },
}

/** Returns the bytes of a packet. Strings end with NUL. */
export function milterPacket(code: string, ...data: readonly (string | Buffer)[]): Buffer {
  const content = Buffer.concat([
    Buffer.from(code, 'latin1'),
    ...data.map(each => (typeof each === 'string' ? Buffer.from(`${each}\0`) : each)),
  ])
  return Buffer.concat([numbers(content.length), content])
}

/** Returns numbers of 32 bits. */
export function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at)
  return bytes
}

/** Connects to a filter, whose URL is that of a port or of a socket. */
export function milterSocket(url: string): Socket {
  const socket = url.startsWith('unix:')
    ? connect(url.slice('unix:'.length))
    : connect(Number(new URL(url).port), new URL(url).hostname)
  socket.setNoDelay(true)
  socket.on('error', () => {})
  return socket
}

/** Connects to a filter, and negotiates. */
export async function milterClient(
  url: string,
  { version = 6, actions = 0x1ff, steps = 0x1f_ffff }: Offer = {},
  address = '192.0.2.7',
): Promise<MilterClient> {
  const socket = milterSocket(url)
  const packets: FilterPacket[] = []
  let [rest, isOver] = [Buffer.alloc(0) as Buffer, false]
  let wake = () => {}
  socket.on('data', chunk => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
      const size = 4 + rest.readUInt32BE(0)
      packets.push({ code: String.fromCharCode(rest[4]!), data: rest.subarray(5, size) })
      rest = rest.subarray(size)
    }
    wake()
  })
  const closed = new Promise<void>(resolve => {
    socket.on('close', () => {
      isOver = true
      wake()
      resolve()
    })
  })
  const next = async (): Promise<FilterPacket> => {
    while (packets.length === 0 && !isOver) await new Promise<void>(resolve => (wake = resolve))
    const found = packets.shift()
    if (found === undefined) throw new Error('The filter has closed the connection')
    return found
  }

  socket.write(milterPacket('O', numbers(version, actions, steps)))
  const { code, data } = await next()
  if (code !== 'O' || data.length !== 12) throw new Error(`The filter answered ${code} to the negotiation`)
  const [its = 0, itsActions = 0, itsSteps = 0] = [0, 4, 8].map(at => data.readUInt32BE(at))
  if (its > version || (itsActions & ~actions) !== 0 || (itsSteps & ~steps) !== 0)
    throw new Error('The filter answered with what was not offered')

  const client: MilterClient = {
    socket,
    agreed: { version: its, actions: itsActions, steps: itsSteps },
    closed,
    async event(code, ...data) {
      socket.write(milterPacket(code, ...data))
      const bit = withoutReply[code]
      if (bit === undefined || (itsSteps & bit) !== 0) return
      const reply = await next()
      if (reply.code !== 'c') throw new Error(`The filter answered ${reply.code} to ${code}`)
    },
    async begin({
      from = ['<ann@far.example>'],
      to = ['<bob@office.example>'],
      headers = [
        ['From', ' Ann <ann@far.example>'],
        ['Subject', ' Hello'],
      ],
      body = 'Hi!\r\n',
      macros = {},
    } = {}) {
      const sendMacros = async (code: string, values: { readonly [name: string]: string } = {}) =>
        client.event('D', Buffer.from(code), ...Object.entries(values).flat())
      await sendMacros('M', macros.sender)
      await client.event('M', ...from)
      for (const path of to) {
        await sendMacros('R', macros.recipient?.(path))
        await client.event('R', path)
      }
      await sendMacros('T')
      if (version >= 4) await client.event('T')
      for (const [name, value] of headers) {
        const sent = Buffer.from(value as string)
        // Without the agreement on leading spaces, the mail server removes one.
        const isCut = (itsSteps & 0x10_0000) === 0 && sent[0] === 0x20
        await client.event('L', name, isCut ? sent.subarray(1) : sent, Buffer.alloc(1))
      }
      await client.event('N')
      const bytes = Buffer.from(body as string)
      for (let at = 0; at < bytes.length; at += 65_535)
        await client.event('B', bytes.subarray(at, at + 65_535))
    },
    async end() {
      socket.write(milterPacket('E'))
      const changes: string[] = []
      const headers: ChangedHeader[] = []
      const chunks: Buffer[] = []
      let progress = 0
      for (;;) {
        const { code, data } = await next()
        if (code === 'p') progress++
        else if (code === 'b') {
          if (data.length > 65_535) throw new Error('A chunk that is too large')
          chunks.push(data)
        } else if (chunks.length > 0 && code !== 'c') throw new Error('A change between or after chunks')
        else if ('-+im'.includes(code)) {
          changes.push(`${code} ${changeOf(code, data)}`)
          if (code === 'i' || code === 'm') headers.push(headerOf(code, data))
        } else {
          const body = chunks.length === 0 ? undefined : Buffer.concat(chunks)
          return {
            reply: data.length === 0 ? code : `${code} ${textOf(data)}`,
            changes,
            headers,
            body,
            progress,
          }
        }
      }
    },
    async ask(mail) {
      await client.begin(mail)
      const answered = await client.end()
      await client.event('A')
      return answered
    },
    async [Symbol.asyncDispose]() {
      socket.destroy()
    },
  }
  const family = address.includes(':') ? '6' : '4'
  await client.event('C', 'client.example', Buffer.from([family.charCodeAt(0), 0, 25]), address)
  await client.event('H', 'client.example')
  return client
}

function textOf(data: Buffer): string {
  if (data.at(-1) !== 0 || data.indexOf(0) !== data.length - 1) throw new Error('A text without an end')
  // The mail server replaces a doubled percent sign, and removes a single one.
  return data.toString('utf8', 0, data.length - 1).replace(/%(.?)/gs, '$1')
}

function headerOf(code: ChangedHeader['code'], data: Buffer): ChangedHeader {
  const [name = '', value = '', ...more] = data.toString('latin1', 4).split('\0')
  if (more.length !== 1 || more[0] !== '') throw new Error('A header that is not a name and a value')
  return { code, index: data.readUInt32BE(0), name, value }
}

function changeOf(code: string, data: Buffer): string {
  if (code === '-' || code === '+') return textOf(data)
  const [name, value] = data.subarray(4).toString().split('\0')
  return `${data.readUInt32BE(0)} ${name}:${value}`
}

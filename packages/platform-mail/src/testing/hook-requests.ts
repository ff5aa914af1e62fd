import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { connect, type Socket } from 'node:net'
import type { OfferedTestMail } from './offer-mail.ts'
import { hooksSecret } from './verdict-cases.ts'

/** A request to a listener for hooks. */
export interface TestRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
}

/** The answer to a request. */
export interface TestResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The JSON of the body, or undefined if it is empty. */
  readonly json: ReturnType<typeof JSON.parse>
}

/** Sends a request with the secret, unless it has a header `authorization` of its own. */
export function askHook(
  url: string,
  { method = 'POST', path, headers = {}, body = '' }: TestRequest,
): Promise<TestResponse> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? secureRequest : request
    const all = {
      authorization: `Bearer ${hooksSecret}`,
      'content-length': Buffer.byteLength(body),
      ...headers,
    }
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    const sent = send(
      `${url}${path}`,
      { method, headers: given, agent: false, rejectUnauthorized: false },
      response => {
        const pieces: Buffer[] = []
        response.on('data', piece => pieces.push(piece))
        response.on('end', () => {
          const text = Buffer.concat(pieces).toString()
          const json = text === '' ? undefined : JSON.parse(text)
          resolve({ status: response.statusCode!, headers: response.headers, json })
        })
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    // Node would encode headers as it encodes a text that follows them.
    sent.end(Buffer.from(body as string))
  })
}

/** Opens a connection on which a test writes what it likes. */
export function hookSocket(url: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  return socket
}

/** Returns the head of a request with the secret, whose body has a number of bytes. */
export function hookHead(path: string, length: number, more = ''): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${hooksSecret}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`
  )
}

/** A mail about which a mail server asks, with what the server knows about its client. */
export interface HookMail extends OfferedTestMail {
  /** The headers with their values, which begin with a space. */
  readonly headers?: readonly (readonly [string, string])[]
  readonly address?: string
  readonly user?: string
  readonly tls?: string
}

const defaults = {
  ...{ from: 'ann@far.example', to: ['bob@office.example'], id: '<1@far.example>', text: 'Hi!' },
  address: '192.0.2.7',
}

function headersOf({ id = defaults.id, headers = [] }: HookMail): readonly (readonly [string, string])[] {
  return [['From', ' Ann <ann@far.example>'], ['Subject', ' Hello'], ['Message-ID', ` ${id}`], ...headers]
}

/** Returns the mail as its client has sent it. */
export function rawHookMail(mail: HookMail, lineEnd = '\r\n'): string {
  const lines = headersOf(mail).map(([name, value]) => `${name}:${value}`)
  return [...lines, '', mail.text ?? defaults.text, ''].join(lineEnd)
}

/** Returns the request of Stalwart 0.16 at the end of a mail. */
export function stalwartRequest(mail: HookMail = {}, stage = 'data'): TestRequest {
  const { from = defaults.from, to = defaults.to, address = defaults.address, user, tls, text } = mail
  const contents = `${text ?? defaults.text}\r\n`
  const body = {
    context: {
      stage,
      client: {
        ip: address,
        port: 40_000,
        ptr: 'mx.far.example',
        helo: 'client.example',
        activeConnections: 1,
      },
      ...(user !== undefined && { sasl: { login: user } }),
      ...(tls !== undefined && { tls: { version: tls, cipher: 'TLS13_AES_256_GCM_SHA384' } }),
      server: { name: 'Stalwart', port: 25, ip: '192.0.2.1' },
      queue: { id: '1f' },
      protocol: { version: 1 },
    },
    envelope: { from: { address: from }, to: to.map(each => ({ address: each })) },
    message: {
      headers: headersOf(mail).map(([name, value]) => [name, `${value}\r\n`]),
      contents,
      size: rawHookMail(mail).length,
    },
  }
  return { path: '/stalwart', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** Returns the request of the milter bridge for a registration that a platform has not seen. */
export const mtaRequest = (mail: HookMail = {}): TestRequest =>
  mtaHookRequest('/mta-hooks/01/hooks/some-id', mail)

/** Returns the request of the milter bridge, which speaks draft-degennaro-mta-hooks-01. */
export function mtaHookRequest(endpoint: string, mail: HookMail = {}): TestRequest {
  const { from = defaults.from, to = defaults.to, address = defaults.address, user, tls, utf8 = false } = mail
  const body = {
    ...{
      stage: 'data',
      action: 'accept',
      timestamp: '2026-11-01T10:00:00.000Z',
      protocol: { version: '1.0' },
    },
    rawMessage: Buffer.from(rawHookMail(mail)).toString('base64'),
    envelope: {
      from: { address: from === '' ? null : from, parameters: utf8 ? { SMTPUTF8: '' } : {} },
      to: to.map(each => ({ address: each, parameters: {} })),
    },
    queue: { id: '4XyZ' },
    client: { ip: address, port: 40_000, ehlo: 'client.example', ptr: 'mx.far.example' },
    tls: tls === undefined ? null : { version: tls, cipher: null, cipherBits: null },
    auth: user === undefined ? null : { login: user, method: 'PLAIN' },
    server: null,
  }
  return {
    path: endpoint,
    headers: {
      'content-type': 'application/json',
      'x-mta-hooks-registration': endpoint.split('/').at(-1),
      'x-mta-hooks-request-id': '0b6f',
    },
    body: JSON.stringify(body),
  }
}

/** Registers as the milter bridge does. Returns the path of the hook. */
export async function registerMtaHook(url: string): Promise<string> {
  const { status, json } = await askHook(url, {
    path: '/mta-hooks/01/register',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(mtaRegistration),
  })
  if (status !== 201) throw new Error(`The registration got ${status}`)
  return json.hookEndpoint
}

/** What the milter bridge sends to register. */
export const mtaRegistration = {
  ...{ name: 'bridge', version: '0.1.0', timeoutMs: 20_000, serialization: 'json', outbound: null },
  inbound: {
    stages: ['data'],
    properties: [
      ...['/stage', '/action', '/timestamp', '/protocol', '/rawMessage', '/envelope'],
      ...['/queue', '/client', '/tls', '/auth', '/server'],
    ],
  },
}

/** Clients write headers in UTF-8, and Node in Latin-1. */
const inUtf8 = (text: string) => Buffer.from(text).toString('latin1')

/** Returns the request of the plugin of Haraka, which leaves out the null sender and ends lines as SMTP does. */
export function harakaRequest(mail: HookMail = {}): TestRequest {
  const { from = defaults.from, to = defaults.to, address = defaults.address, user, tls } = mail
  return {
    path: '/checkv2',
    headers: {
      ...(user !== undefined && { User: user }),
      ...{ IP: address, Hostname: 'mx.far.example', Helo: 'client.example' },
      ...(from !== '' && { From: inUtf8(from) }),
      Rcpt: to.map(inUtf8),
      ...(to.length === 1 && { 'Deliver-To': inUtf8(to[0]!) }),
      'Queue-Id': 'A1B2.1',
      ...(tls !== undefined && { 'TLS-Cipher': 'ECDHE', 'TLS-Version': tls }),
    },
    body: rawHookMail(mail),
  }
}

/** Returns the request of filter-rspamd of OpenSMTPD, whose lines end with line feeds. */
export function openSmtpdRequest(mail: HookMail = {}): TestRequest {
  const { from = defaults.from, to = defaults.to, address = defaults.address, user } = mail
  return {
    path: '/checkv2',
    headers: {
      ...{ Pass: 'All', Ip: address, Hostname: '<unknown>', Helo: 'client.example' },
      ...{ 'MTA-Name': 'mx.office.example', 'Queue-Id': '9f', From: inUtf8(from) },
      ...(user !== undefined && { User: user }),
      Rcpt: to.map(inUtf8),
    },
    body: rawHookMail(mail, '\n').slice(0, -1),
  }
}

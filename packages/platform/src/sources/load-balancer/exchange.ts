import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import {
  type HttpVerdict,
  httpVerdict,
  type Method,
  maxRequestBodyBytes,
  requestEvent,
} from '@signalbox/load-balancer/contract'
import type { LoadBalancerSettings } from '../../config/settings.ts'
import { ofHttp } from '../../invocation/conclusion.ts'
import type { Failure } from '../../invoker/invoker.ts'
import type { SourceContext } from '../source.ts'
import { headerLines } from './header-lines.ts'
import { type PlainResponse, plainResponse } from './plain-response.ts'
import { readBody } from './read-body.ts'
import { bodyTooLarge, readHead } from './refuse-head.ts'

/** What goes to the client. */
type Answer = HttpVerdict | (PlainResponse & { readonly kind: 'unavailable'; readonly why: string })

/** Milliseconds that a client gets to read why its body was refused, while it may still be sending it. */
const linger = 1000

/** Bytes of a body that is small enough to be copied. */
const oneWrite = 32 * 1024

/** Takes one request to the function, and the answer back. */
export function exchange(
  settings: LoadBalancerSettings,
  context: SourceContext,
): (request: IncomingMessage, response: ServerResponse, mayContinue?: () => void) => Promise<void> {
  const { functionName, multiValue, targetGroupArn } = settings
  const source = `load balancer ${settings.name}`
  const { dispatch, clock, random } = context

  return async (request, response, mayContinue) => {
    const head = readHead(request)
    if ('status' in head) return refuse(request, response, head)
    mayContinue?.()
    const body = await readBody(request, maxRequestBodyBytes)
    if (body === 'broken off') return
    if (body === 'too large') return refuse(request, response, bodyTooLarge)

    const { socket } = request
    const headers = headerLines(request.rawHeaders, connectionOf(socket), clock.now(), random)
    const event = requestEvent(
      { method: request.method as Method, ...head, headers, body: body.bytes },
      { targetGroupArn, multiValue },
    )
    const { verdict } = await dispatch<Answer>({
      functionName,
      event,
      family: 'load-balancer',
      source,
      verdict: (payload, failure) => unavailable(failure) ?? httpVerdict(payload, event),
      describe: answer =>
        answer.kind === 'unavailable'
          ? { kind: 'unavailable', ok: false, text: `${answer.status} ${answer.reason}: ${answer.why}` }
          : ofHttp(answer),
    })
    write(response, verdict)
  }
}

function unavailable(failure: Failure | undefined): Answer | undefined {
  return failure?.kind === 'unavailable'
    ? { kind: 'unavailable', why: failure.message, ...plainResponse(503, 'Service Unavailable') }
    : undefined
}

function connectionOf({ remoteAddress = '', localPort = 0 }: Socket) {
  // How an IPv4 client looks to a listener for both versions.
  return { clientAddress: remoteAddress.replace(/^::ffff:(?=[\d.]+$)/, ''), port: localPort }
}

function write(response: ServerResponse, { status, reason, headers, body }: PlainResponse): void {
  if (response.destroyed) return
  response.writeHead(status, reason, headers.flat())
  // Node sends a text together with the head, in one go, but bytes apart from it. In this encoding a character is a byte.
  if (body.byteLength <= oneWrite)
    response.end(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1'), 'latin1')
  else response.end(body)
}

// A client that has been refused is left: it may be sending a body that nobody wants, or speak another protocol next.
// It gets some time, because a connection that is cut while it still sends can cost it the answer.
function refuse(request: IncomingMessage, response: ServerResponse, answer: PlainResponse): void {
  write(response, { ...answer, headers: [...answer.headers, ['connection', 'close']] })
  const { socket } = request
  request.resume()
  const cut = setTimeout(() => socket.destroy(), linger)
  socket.once('close', () => clearTimeout(cut))
}

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
import type { Failure } from '../../invoker/invoker.ts'
import type { SourceContext } from '../source.ts'
import { headerLines } from './header-lines.ts'
import { httpConclusion } from './http-conclusion.ts'
import { type PlainResponse, plainResponse } from './plain-response.ts'
import { readBody } from './read-body.ts'
import { bodyTooLarge, readHead } from './refuse-head.ts'
import { refuse, write } from './write-response.ts'

/** What goes to the client. */
type Answer = HttpVerdict | (PlainResponse & { readonly kind: 'unavailable'; readonly why: string })

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
          : httpConclusion(answer),
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

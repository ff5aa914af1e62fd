import type { IncomingMessage, ServerResponse } from 'node:http'
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
import { type Connection, headerLines } from './header-lines.ts'
import { httpConclusion } from './http-conclusion.ts'
import { type PlainResponse, plainResponse } from './plain-response.ts'
import { readBody } from './read-body.ts'
import { bodyTooLarge, readHead } from './refuse-head.ts'
import { refuse, responseWriter } from './write-response.ts'

/** What goes to the client. */
type Answer = HttpVerdict | (PlainResponse & { readonly kind: 'unavailable'; readonly why: string })

/** Takes one request to the function, and the answer back. */
export type Exchange = (
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection,
  mayContinue: (() => void) | undefined,
) => Promise<void>

/** How requests get to the function of a load balancer. */
export function exchange(settings: LoadBalancerSettings, context: SourceContext): Exchange {
  const { functionName, multiValue, targetGroupArn } = settings
  const source = `load balancer ${settings.name}`
  const { dispatch, clock, random } = context
  const write = responseWriter()

  return async (request, response, connection, mayContinue) => {
    const head = readHead(request)
    if ('status' in head) return refuse(request, response, head)
    mayContinue?.()
    const body = await readBody(request, maxRequestBodyBytes)
    if (body === 'broken off') return
    if (body === 'too large') return refuse(request, response, bodyTooLarge)

    const headers = headerLines(request.rawHeaders, connection, clock.now(), random, head.host)
    const event = requestEvent(
      { method: request.method as Method, path: head.path, query: head.query, headers, body: body.bytes },
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

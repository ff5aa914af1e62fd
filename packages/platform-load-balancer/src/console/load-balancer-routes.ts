import { optional, refusals, route } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'

/** A load balancer that the console shows. */
export const LoadBalancerState = t.readonly(
  t.type({
    name: t.string,
    /** The URL for clients. Undefined until the load balancer has started. */
    url: optional(t.string),
    functions: t.readonlyArray(t.string),
  }),
)
export type LoadBalancerState = t.TypeOf<typeof LoadBalancerState>

/** A request to a load balancer. */
const RequestToSend = t.readonly(
  t.intersection([
    t.type({
      method: t.string,
      /** The path with the query, such as `/orders?page=2`. */
      path: t.string,
    }),
    t.partial({
      headers: t.readonlyArray(t.readonly(t.tuple([t.string, t.string]))),
      body: t.string,
      /** Whether the body is encoded in base64. */
      isBase64: t.boolean,
    }),
  ]),
)
export type RequestToSend = t.TypeOf<typeof RequestToSend>

/** The response to a request that the console sent. */
export const SentRequest = t.readonly(
  t.type({
    status: t.number,
    statusText: t.string,
    headers: t.readonlyArray(t.readonly(t.tuple([t.string, t.string]))),
    body: t.string,
    /** Whether the body is encoded in base64, because it is not valid UTF-8. */
    isBase64: t.boolean,
    /** The duration in milliseconds. */
    duration: t.number,
    /** The id of the invocation that answered the request. */
    invocation: optional(t.number),
  }),
)
export type SentRequest = t.TypeOf<typeof SentRequest>

/** The routes of load balancers in the console's API. */
export const loadBalancerRoutes = {
  loadBalancers: route('GET', '/load-balancers', { returns: { 200: t.readonlyArray(LoadBalancerState) } }),
  sendRequest: route('POST', '/load-balancers/{name}/requests', {
    body: RequestToSend,
    returns: { 200: SentRequest, ...refusals },
  }),
} as const

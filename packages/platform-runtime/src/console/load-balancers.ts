import * as t from 'io-ts'
import { optional } from './optional.ts'

/** A load balancer in the console. */
export const LoadBalancerState = t.readonly(
  t.type({
    name: t.string,
    /** The URL for clients. Undefined until the load balancer has started. */
    url: optional(t.string),
    functions: t.readonlyArray(t.string),
  }),
)
export type LoadBalancerState = t.TypeOf<typeof LoadBalancerState>

/** The load balancers that the console shows. It sends requests to their URLs like any client. */
export interface ConsoleLoadBalancers {
  readonly list: () => readonly LoadBalancerState[]
}

import * as t from 'io-ts'
import { optional } from './optional.ts'

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

/** The load balancers that the console shows. The console sends requests to their URLs, as any client does. */
export interface ConsoleLoadBalancers {
  readonly list: () => readonly LoadBalancerState[]
}

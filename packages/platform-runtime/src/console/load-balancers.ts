import * as t from 'io-ts'
import { optional } from './optional.ts'

/** A load balancer. */
export const LoadBalancerState = t.readonly(
  t.type({
    name: t.string,
    /** Undefined until it has started. */
    url: optional(t.string),
    functions: t.readonlyArray(t.string),
  }),
)
export type LoadBalancerState = t.TypeOf<typeof LoadBalancerState>

/** What the console reads of load balancers. It sends requests to their URLs as any client does. */
export interface ConsoleLoadBalancers {
  readonly list: () => readonly LoadBalancerState[]
}

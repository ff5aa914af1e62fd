import { isObject, pointerTo } from '@signalbox/platform-runtime/config'

/** A listener of a load balancer, which may be invalid. */
interface ListenerPart {
  /** The name of the load balancer, with `.2` and so on for further listeners. No load balancer can have such a name. */
  readonly name: string
  readonly balancer: string
  readonly pointer: string
  readonly part: { readonly [key: string]: unknown }
}

/** Returns the listeners of all load balancers: for each the load balancer itself, and its further listeners. */
export function listenersOf(loadBalancers: unknown): readonly ListenerPart[] {
  if (!isObject(loadBalancers)) return []
  return Object.entries(loadBalancers).flatMap(([balancer, part]): readonly ListenerPart[] => {
    if (!isObject(part)) return []
    const pointer = pointerTo('loadBalancers', balancer)
    const further: readonly unknown[] = Array.isArray(part.listeners) ? part.listeners : []
    return [
      { name: balancer, balancer, pointer, part },
      ...further.flatMap((each, at) =>
        isObject(each)
          ? [{ name: `${balancer}.${at + 2}`, balancer, pointer: `${pointer}/listeners/${at}`, part: each }]
          : [],
      ),
    ]
  })
}

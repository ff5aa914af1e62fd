/** The methods that a load balancer passes on. See docs/contract/load-balancer.md#event.httpMethod. */
export const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const

/** A method that a load balancer passes on. */
export type Method = (typeof methods)[number]

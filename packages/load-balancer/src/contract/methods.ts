/** The methods that a load balancer accepts. See docs/contract/load-balancer.md#event.httpMethod. */
export const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const

/** A method that a load balancer accepts. */
export type Method = (typeof methods)[number]

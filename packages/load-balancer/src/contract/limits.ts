/** The maximum size of a request body in bytes: 1 MB. See docs/contract/load-balancer.md#limits.requestBody. */
export const maxRequestBodyBytes = 1024 * 1024

/** The maximum size of the JSON text of a response in bytes: 1 MB. See docs/contract/load-balancer.md#limits.response. */
export const maxResponseBytes = 1024 * 1024

/**
 * The maximum size in bytes of the status line and the header lines of a response together. Many clients do not accept
 * more. This limit is not in the contract.
 */
export const maxResponseHeadBytes = 32 * 1024

/** The status for a request whose body is too large. See docs/contract/load-balancer.md#limits.requestBody. */
export const requestTooLargeStatus = 413

/** The status for a WebSocket upgrade. See docs/contract/load-balancer.md#request.web-socket. */
export const webSocketStatus = 400

/** The status for a payload that cannot become a response. See docs/contract/load-balancer.md#verdict.malformed. */
export const malformedStatus = 502

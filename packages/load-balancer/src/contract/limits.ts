/** Bytes that a request's body may have: 1 MB. Contract, limits, load balancer. */
export const maxRequestBodyBytes = 1024 * 1024

/** Bytes of UTF-8 that the JSON text of an answer may have: 1 MB. Contract, limits, load balancer. */
export const maxResponseBytes = 1024 * 1024

/**
 * Bytes that the status line and the header lines of an answer may have together: many clients read no more. Extension:
 * the contract is silent.
 */
export const maxResponseHeadBytes = 32 * 1024

/** The status for a request whose body is above the limit. Extension: the contract names the limit only. */
export const requestTooLargeStatus = 413

/** The status for a request to upgrade to a WebSocket. Contract, errors. */
export const webSocketStatus = 400

/** The status for an answer that cannot become an HTTP response. Extension: the contract is silent. */
export const malformedStatus = 502

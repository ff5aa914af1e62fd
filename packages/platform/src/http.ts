import type * as Http from 'node:http'

// An import would have Node make everything that this module offers under further names, which is a whole HTTP client
// and two further protocols: 13 MB, and 20 ms.
const http: typeof Http = process.getBuiltinModule('node:http')

/** `createServer` of Node's HTTP module. */
export const createServer: typeof Http.createServer = http.createServer

/** `STATUS_CODES` of Node's HTTP module. */
export const statusCodes: typeof Http.STATUS_CODES = http.STATUS_CODES

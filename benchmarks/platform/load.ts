import autocannon from 'autocannon'

/** The number of connections that send requests at the same time. */
const connections = 32

/** The figures of a server under load. */
export interface Load {
  readonly requests: number
  readonly perSecond: number
}

/** The body and headers of a POST request. */
export interface PostRequest {
  readonly method: 'POST'
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/**
 * Sends requests to a server until the time is over or the number of requests is reached.
 * @throws Error if a response has a status other than 200
 */
export async function load(
  url: string,
  amount: { readonly duration: number } | { readonly amount: number },
  request?: PostRequest,
): Promise<Load> {
  const options = { url, connections, ...amount, ...request }
  const { errors, timeouts, non2xx, requests, duration } = await autocannon(options)
  if (errors + timeouts + non2xx > 0) {
    throw new Error(`${url}: ${errors} errors, ${timeouts} time-outs, ${non2xx} answers that were not 200`)
  }
  return { requests: requests.total, perSecond: requests.total / duration }
}

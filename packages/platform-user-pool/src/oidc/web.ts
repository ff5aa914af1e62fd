/** A request from a browser or a program, apart from its connection. */
export interface WebRequest {
  readonly method: 'GET' | 'POST'
  /** Whether this is a HEAD request. HEAD requests must change nothing. */
  readonly isHead?: boolean
  /** The address of this listener that the request was sent to, such as `http://127.0.0.1:9331`. */
  readonly origin: string
  /** The path below the pool's address, such as `/oauth2/authorize`. */
  readonly path: string
  readonly query: URLSearchParams
  /** The fields of a submitted form. Undefined if the body is not a form. */
  readonly form: URLSearchParams | undefined
  /** The text of a submitted JSON body. Undefined if the body is not JSON. */
  readonly json?: string | undefined
  readonly authorization: string | undefined
  readonly cookies: string | undefined
  /** The value of the header `Sec-Fetch-Site`. */
  readonly fetchSite: string | undefined
  /** The name and version of the caller's SDK, for trigger events. */
  readonly sdk: string
  /** The network address of the caller. */
  readonly address?: string | undefined
}

/** The response to a request from a browser or a program. */
export interface WebAnswer {
  readonly status: number
  readonly headers: { readonly [name: string]: string | string[] }
  readonly body: string
}

/** Returns a JSON response for programs. */
export function jsonAnswer(
  status: number,
  value: object,
  headers: { readonly [name: string]: string } = {},
): WebAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) }
}

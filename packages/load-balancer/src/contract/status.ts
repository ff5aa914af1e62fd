// The registry of HTTP status codes, in runs of consecutive codes. Node has such a table, but importing it would load
// Node's HTTP server. See docs/decisions/http.md#no-http-server-in-a-function.
const runs: readonly (readonly [first: number, phrases: string])[] = [
  [100, 'Continue,Switching Protocols,Processing,Early Hints'],
  [
    200,
    'OK,Created,Accepted,Non-Authoritative Information,No Content,Reset Content,Partial Content,Multi-Status,Already Reported',
  ],
  [226, 'IM Used'],
  [300, 'Multiple Choices,Moved Permanently,Found,See Other,Not Modified,Use Proxy'],
  [307, 'Temporary Redirect,Permanent Redirect'],
  [
    400,
    "Bad Request,Unauthorized,Payment Required,Forbidden,Not Found,Method Not Allowed,Not Acceptable,Proxy Authentication Required,Request Timeout,Conflict,Gone,Length Required,Precondition Failed,Payload Too Large,URI Too Long,Unsupported Media Type,Range Not Satisfiable,Expectation Failed,I'm a Teapot",
  ],
  [421, 'Misdirected Request,Unprocessable Entity,Locked,Failed Dependency,Too Early,Upgrade Required'],
  [428, 'Precondition Required,Too Many Requests'],
  [431, 'Request Header Fields Too Large'],
  [451, 'Unavailable For Legal Reasons'],
  [
    500,
    'Internal Server Error,Not Implemented,Bad Gateway,Service Unavailable,Gateway Timeout,HTTP Version Not Supported,Variant Also Negotiates,Insufficient Storage,Loop Detected,Bandwidth Limit Exceeded,Not Extended,Network Authentication Required',
  ],
]

const descriptions = new Map<number, string>()
for (const [first, phrases] of runs) {
  for (const [i, phrase] of phrases.split(',').entries())
    descriptions.set(first + i, `${first + i} ${phrase}`)
}

/** Returns a status code with its reason phrase, such as `200 OK`, or undefined for a code that is not registered. */
export function statusDescription(status: number): string | undefined {
  return descriptions.get(status)
}

/** Returns the reason phrase of a status code, such as `Not Found`, or undefined for a code that is not registered. */
export function reasonPhrase(status: number): string | undefined {
  return descriptions.get(status)?.slice(4)
}

/**
 * Returns the reason phrase of a status line, from the `statusDescription` of a response. The description begins with
 * the code ("200 OK"), or is only the phrase. An empty description, or a description with another code, is replaced by
 * the standard phrase for the status. The contract does not define this case.
 */
export function reasonOf(status: number, description: string): string {
  const text = description.trim()
  const code = /^\d{3}(?:\s+|$)/.exec(text)?.[0]
  const phrase = code === undefined ? text : Number(code) === status ? text.slice(code.length) : ''
  return phrase === '' ? (reasonPhrase(status) ?? 'Unknown') : phrase
}

/** Returns whether a response with this status never has content (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
export function isWithoutContent(status: number): boolean {
  return status === 204 || status === 205 || status === 304
}

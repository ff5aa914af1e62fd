/** Headers on their way out. Null and undefined are left out, numbers become text, a list is several values. */
export interface ReplyHeaders {
  readonly [name: string]: string | number | readonly (string | number)[] | null | undefined
}

/**
 * An answer before it is written in the mode of the request: what helpers such as `json` make, and any plain
 * response of contract D. Bytes become Base64, and what is missing is filled in.
 */
export interface Reply {
  readonly statusCode: number
  /** Such as `200 OK`, which is the default. */
  readonly statusDescription?: string | undefined
  readonly headers?: ReplyHeaders | null | undefined
  readonly multiValueHeaders?: ReplyHeaders | null | undefined
  readonly body?: string | Uint8Array | null | undefined
  /** Says of a text body that it is Base64 already. */
  readonly isBase64Encoded?: boolean | undefined
}

/** What a route may answer. */
export type Answer = Reply | Response

/** Whether a value is a reply or a web `Response`. */
export function isAnswer(value: unknown): value is Answer {
  if (typeof value !== 'object' || value === null) return false
  // In this order: Node loads its whole Fetch API at the first mention of Response.
  return 'statusCode' in value || value instanceof Response
}

/** What every helper takes besides its content. */
export interface ReplyInit {
  /** Default 200. */
  readonly status?: number
  readonly headers?: ReplyHeaders
}

/** What JSON can carry; a promise or function there is a forgotten `await` or call. */
export type Sendable<T> = T extends
  | undefined
  | bigint
  | symbol
  | PromiseLike<unknown>
  | ((...args: never) => unknown)
  ? never
  : T

/**
 * A JSON answer.
 * @example get('/orders/{id}', async ({ params }) => json(await find(params.id)))
 * @throws TypeError for a promise, which JSON would show as `{}`
 */
export function json<T>(value: Sendable<T>, init?: ReplyInit): Reply {
  if (isPromise(value)) throw new TypeError('json() got a promise: write json(await …)')
  return reply(init, 'application/json; charset=utf-8', JSON.stringify(value))
}

/** A plain-text answer. */
export function text(content: string, init?: ReplyInit): Reply {
  return reply(init, 'text/plain; charset=utf-8', content)
}

/** An HTML answer. The markup goes out as it is. */
export function html(markup: string, init?: ReplyInit): Reply {
  return reply(init, 'text/html; charset=utf-8', markup)
}

/** An answer of bytes, `application/octet-stream` unless `init` has a `content-type`. */
export function bytes(content: Uint8Array, init?: ReplyInit): Reply {
  return reply(init, 'application/octet-stream', content)
}

/** Bytes or text for the client to save under a name, which may hold any character. */
export function file(content: Uint8Array | string, name: string, init?: ReplyInit): Reply {
  const { headers, ...rest } = init ?? {}
  return bytes(content as Uint8Array, {
    ...rest,
    headers: { 'content-disposition': attachment(name), ...headers },
  })
}

/** Sends the client elsewhere: 302 unless said otherwise. */
export function redirect(location: string, status: 301 | 302 | 303 | 307 | 308 = 302): Reply {
  // Characters that a header cannot carry are percent-encoded; escapes that are there already stay.
  return {
    statusCode: status,
    headers: { location: location.replace(/[^!-~]+/gu, part => encodeURIComponent(part.toWellFormed())) },
  }
}

/** 201, where the new thing is, and what it is. */
export function created<T = null>(
  location: string,
  value?: Sendable<T>,
  init?: Omit<ReplyInit, 'status'>,
): Reply {
  const { headers } = redirect(location)
  const withLocation = { status: 201, headers: { ...headers, ...init?.headers } }
  return value === undefined
    ? { statusCode: 201, headers: withLocation.headers }
    : json<unknown>(value as never, withLocation)
}

/** 204: done, and nothing to say. */
export function noContent(init?: Omit<ReplyInit, 'status'>): Reply {
  return { statusCode: 204, headers: init?.headers }
}

function isPromise(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  )
}

function reply(init: ReplyInit | undefined, type: string, body: string | Uint8Array): Reply {
  if (init === undefined) return { statusCode: 200, headers: { 'content-type': type }, body }
  return { statusCode: init.status ?? 200, headers: { 'content-type': type, ...init.headers }, body }
}

// RFC 6266: a name of plain characters for the oldest clients, and the real one for all others.
function attachment(name: string): string {
  const plain = name.replace(/[^ -~]|["\\%/]/gu, '_')
  const real = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return plain === name
    ? `attachment; filename="${plain}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${real}`
}

/** The body of a reply, as the bytes that go over the wire. */
export function replyBytes({ body, isBase64Encoded }: Reply): Uint8Array {
  if (body instanceof Uint8Array) return body
  return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')
}

import { signal } from '@preact/signals'
import { client } from '@signalbox/load-balancer/client'
import type { Api } from '../../api/api.ts'
import type { ClientRoutes } from '../../api/client-routes.ts'
import { toSegment } from '../../api/dot-segments.ts'

const calls = withSegments(
  client<Api>({
    baseUrl: `${location.origin}/console/api`,
    headers: { 'x-signalbox-console': '1' },
  }),
)

/** The console's own routes. */
export const api = calls

/** Returns the client for the routes of a source. */
export function apiOf<Table>(): ReturnType<typeof client<ClientRoutes<Table>>> {
  return calls as never
}

/** Sends a request to a route that is known only at run time. */
export function anyRoute(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  input: AnyInput,
): Promise<{ readonly status: 200; readonly body: unknown }> {
  const { get, post, del } = calls as unknown as Readonly<Record<'get' | 'post' | 'del', AnyCall>>
  return { GET: get, POST: post, DELETE: del }[method](path, input)
}

interface AnyInput {
  readonly params?: { readonly [name: string]: string }
  readonly body?: object
  readonly signal?: AbortSignal
}

type AnyCall = (path: string, input: AnyInput) => Promise<{ readonly status: 200; readonly body: unknown }>

/** Returns a client that encodes its path parameters, so that they can contain any characters. */
function withSegments<C extends object>(calls: C): C {
  type Input = { readonly params?: Readonly<Record<string, string | number>> }
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [
      name,
      (path: string, { params = {}, ...rest }: Input = {}) => {
        const segments = Object.entries(params).map(([each, value]) => [each, toSegment(String(value))])
        return call(path, { params: Object.fromEntries(segments), ...rest })
      },
    ]),
  ) as C
}

/** Whether the browser has a session. Undefined until the API has answered. */
export const hasSession = signal<boolean | undefined>(undefined)

/** The name of the visitor. Undefined until the API has answered. */
export const visitor = signal('')

/** Whether the platform lets visitors sign in with a key. */
export const takesKeys = signal(false)

/** The error that is thrown when the API answers with an error or does not answer. */
class ApiError extends Error {
  /** The status of the answer. Undefined if there was no answer. */
  readonly status: number | undefined
  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

/**
 * Returns the body of a successful answer.
 * @throws ApiError with a message for users
 */
export async function ask<A extends Answer>(call: Promise<A>): Promise<BodyOf<A>> {
  const { status, body } = await answerTo(call)
  if (status < 400) {
    hasSession.value = true
    return body as BodyOf<A>
  }
  const { error, takesKeys: isKeyTaken } = (body ?? {}) as { readonly error?: unknown; takesKeys?: unknown }
  if (status === 401) {
    hasSession.value = false
    takesKeys.value = isKeyTaken === true
  }
  throw new ApiError(
    typeof error === 'string' ? error : `The platform answered with status ${status}.`,
    status,
  )
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

type BodyOf<A extends Answer> = Extract<A, { readonly status: 200 }>['body']

async function answerTo<A extends Answer>(call: Promise<A>): Promise<A> {
  try {
    return await call
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    if (error instanceof SyntaxError) throw new ApiError('The answer is not JSON.')
    throw new ApiError('The platform does not answer. Is it still running?')
  }
}

/** Returns the message that users see for an error. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

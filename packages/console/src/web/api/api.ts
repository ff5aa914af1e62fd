import { signal } from '@preact/signals'
import { client } from '@signalbox/load-balancer/client'
import type { Api } from '../../api/api.ts'

/** The console's API. */
export const api = client<Api>({
  baseUrl: `${location.origin}/console/api`,
  headers: { 'x-signalbox-console': '1' },
})

/** Whether the browser has a session. Undefined until the API has answered. */
export const hasSession = signal<boolean | undefined>(undefined)

/** An answer that says what went wrong, or no answer at all. */
class ApiError extends Error {
  /** The status of the answer. Undefined when there was none. */
  readonly status: number | undefined
  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

/**
 * The body of a good answer.
 * @throws ApiError with words for a reader
 */
export async function ask<A extends Answer>(call: Promise<A>): Promise<BodyOf<A>> {
  const { status, body } = await answerTo(call)
  if (status < 400) {
    hasSession.value = true
    return body as BodyOf<A>
  }
  if (status === 401) hasSession.value = false
  const { error } = (body ?? {}) as { readonly error?: unknown }
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

/** What an error says to a reader. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

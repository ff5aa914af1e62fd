/** Reports that a server cannot be reached, or that it does not answer in time. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** Milliseconds in which a provider has to answer. */
const longestAnswer = 10_000

/**
 * Sends a request to a server that the configuration names. Redirects are not followed.
 * @param mostBytes the maximum size of the body of the answer
 * @throws UnreachableError, as a rejection, when there is no answer, and when it is too large
 */
export async function boundedFetch(
  url: string,
  mostBytes: number,
  request: {
    readonly method?: string
    readonly headers?: NonNullable<NonNullable<Parameters<typeof fetch>[1]>['headers']>
    readonly body?: string | undefined
  } = {},
): Promise<Response> {
  try {
    const answer = await fetch(url, {
      ...request,
      ...{ body: request.body ?? null, redirect: 'manual', signal: AbortSignal.timeout(longestAnswer) },
    })
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of answer.body ?? []) {
      size += part.byteLength
      // Leaving the loop ends the connection.
      if (size > mostBytes) throw new Error(`the answer has more than ${mostBytes} bytes`)
      parts.push(part)
    }
    const body = [204, 205, 304].includes(answer.status) ? null : Buffer.concat(parts)
    return new Response(body, { status: answer.status, headers: answer.headers })
  } catch (error) {
    throw new UnreachableError(`${new URL(url).origin} cannot be reached: ${reasonOf(error)}`)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it does not answer'
  return error.cause instanceof Error ? error.cause.message : error.message
}

import { ApiError } from '@signalbox/platform-runtime/console'
import { readBody } from '@signalbox/platform-runtime/listener'
import type { Context } from 'hono'
import { fromSegment } from '../api/dot-segments.ts'
import type { Env } from './access.ts'

/** The maximum size of a request body in bytes. It exceeds the size of the largest event. */
const bodyLimit = 8 * 1024 * 1024

/** Returns the decoded parameters of a path. */
export function paramsOf({ req }: Context<Env>): { readonly [name: string]: string } {
  const params = Object.entries(req.param() as { readonly [name: string]: string })
  return Object.fromEntries(params.map(([name, value]) => [name, fromSegment(value)]))
}

/** Returns the parameters of a query. A repeated parameter has a list of values. */
export function queryOf({ req }: Context<Env>): object {
  return Object.fromEntries(
    Object.entries(req.queries()).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
}

/** Reads the body of a request as JSON. */
export async function bodyOf({ env }: Context<Env>, limit = bodyLimit): Promise<unknown> {
  const body = await readBody(env.incoming, limit)
  if (typeof body === 'string')
    throw new ApiError(413, `The body is ${body}: at most ${limit} bytes are read.`)
  try {
    return JSON.parse(Buffer.from(body.bytes).toString())
  } catch {
    throw new ApiError(400, 'The body is not JSON.')
  }
}

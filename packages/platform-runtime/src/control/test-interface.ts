import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../console/api-error.ts'
import { RefusedError } from '../console/refused-error.ts'
import type { MemoryBudget } from '../listener/memory-budget.ts'
import { readBody } from '../listener/read-body.ts'
import { unknownName } from '../unknown-name.ts'
import type { Answer } from './answer.ts'
import type { TestPart, TestRoute } from './test-part.ts'

/** Answers the requests for `/testing` and below. */
export type TestInterface = (
  request: IncomingMessage,
  response: ServerResponse,
  memory: MemoryBudget,
) => Promise<Answer>

/** The maximum size of a body in bytes. */
const bodyLimit = 64 * 1024

/**
 * The test interface of a platform: tests in any language read what the platform did, and put it back. Every answer is
 * JSON. What the interface does not know, such as a path or a field, is refused with what was expected.
 * @param settled resolves when running invocations have ended; called between the reset of the first parts and that of
 * the last one, `invocations`
 */
export function testInterface(parts: readonly TestPart[], settled: () => Promise<void>): TestInterface {
  const resettable = parts.filter(({ reset, isShared }) => reset !== undefined || isShared)
  const names = resettable.map(({ name }) => name)
  const routes: readonly TestRoute[] = [
    { method: 'GET', path: '', fields: {}, answer: async () => ({ paths }) },
    ...parts.flatMap(each => each.routes),
    { method: 'POST', path: '/reset', fields: {}, answer: () => resetAll(resettable) },
    {
      method: 'POST',
      path: '/reset/{name}',
      fields: {},
      answer({ params: { name = '' } }) {
        const part = resettable.find(each => each.name === name)
        if (part === undefined) throw new ApiError(404, unknownName('part', name, names))
        return resetAll([part])
      },
    },
  ]
  const paths = routes.map(describe)

  async function resetAll(some: readonly TestPart[]) {
    // Everything is asked before anything is deleted.
    const shared = some.filter(({ isShared }) => isShared).map(({ name }) => name)
    if (shared.length > 0)
      throw new RefusedError(
        `Nothing is deleted: other platforms may use the same storage for ${shared.join(', ')}. Give each test run storage of its own, such as a data directory or a schema.`,
      )
    const last = some.filter(({ name }) => name === 'invocations')
    for (const each of some) if (!last.includes(each)) await each.reset!()
    // Invocations that are still running would be written into the log of the next test.
    if (last.length > 0) await settled()
    for (const each of last) await each.reset!()
    return { reset: some.map(({ name }) => name) }
  }

  return async (request, response, memory) => {
    try {
      return json(200, (await answerTo(request, response, memory)) ?? {})
    } catch (error) {
      if (error instanceof MethodError) return json(405, { error: error.message }, { allow: error.allowed })
      if (error instanceof ApiError) return json(error.status, { error: error.message })
      if (error instanceof RefusedError) return json(409, { error: error.message })
      return json(500, { error: `This failed: ${error instanceof Error ? error.message : String(error)}` })
    }
  }

  async function answerTo(
    request: IncomingMessage,
    response: ServerResponse,
    memory: MemoryBudget,
  ): Promise<unknown> {
    const url = new URL(request.url ?? '', 'http://localhost')
    const path = url.pathname.slice('/testing'.length).replace(/\/$/, '')
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const found = routes.flatMap(route => {
      const params = paramsOf(route.path, path)
      return params === undefined ? [] : [{ route, params }]
    })
    if (found.length === 0)
      throw new ApiError(404, `The test interface does not have this path. It has ${paths.join(', ')}.`)
    const { route, params } = found.find(each => each.route.method === method) ?? {}
    if (route === undefined || params === undefined)
      throw new MethodError(
        found.map(each => each.route.method).join(', '),
        `${method} is not possible here.`,
      )
    const given = method === 'GET' ? queryOf(url) : await bodyOf(request, response, memory)
    if (method !== 'GET' && url.search !== '')
      throw new ApiError(400, 'The fields of a POST are in its body, a JSON object, and not in its query.')
    return route.answer({ params, fields: fieldsOf(route, given) })
  }
}

/** A request with the wrong method. */
class MethodError extends Error {
  readonly allowed: string

  constructor(allowed: string, message: string) {
    super(`${message} Expected ${allowed}.`)
    this.allowed = allowed
  }
}

function json(status: number, value: unknown, headers: Answer['headers'] = {}): Answer {
  return {
    status,
    body: `${JSON.stringify(value)}\n`,
    headers: { 'content-type': 'application/json', ...headers },
  }
}

function describe({ method, path, fields }: TestRoute): string {
  const names = Object.keys(fields)
  const more = names.length === 0 ? '' : method === 'GET' ? `?${names.join('&')}` : ` {${names.join(', ')}}`
  return `${method} /testing${path}${more}`
}

/** Returns the parameters of a path. Returns undefined for a path of another route. */
function paramsOf(route: string, path: string): { readonly [name: string]: string } | undefined {
  const parts = route.split('/')
  const segments = path.split('/')
  if (parts.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of parts.entries()) {
    const segment = segments[at]!
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined ? part !== segment : segment === '') return undefined
    if (name === undefined) continue
    try {
      params[name] = decodeURIComponent(segment)
    } catch {
      throw new ApiError(400, `${segment} in the path is not percent-encoded UTF-8.`)
    }
  }
  return params
}

function queryOf({ searchParams }: URL): { readonly [name: string]: unknown } {
  const names = [...searchParams.keys()]
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined) throw new ApiError(400, `${JSON.stringify(repeated)} is there twice.`)
  return Object.fromEntries(searchParams)
}

async function bodyOf(
  request: IncomingMessage,
  response: ServerResponse,
  memory: MemoryBudget,
): Promise<{ readonly [name: string]: unknown }> {
  const body = await readBody(request, bodyLimit, memory, response)
  if (typeof body === 'string')
    throw new ApiError(413, `The body is ${body}: at most ${bodyLimit} bytes are read.`)
  if (body.bytes.length === 0) return {}
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(body.bytes).toString())
  } catch {
    throw new ApiError(400, 'The body is not JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ApiError(400, 'The body is not a JSON object.')
  return value as { readonly [name: string]: unknown }
}

/** Checks the fields of a request, and decodes them. */
function fieldsOf({ fields, method }: TestRoute, given: { readonly [name: string]: unknown }): object {
  const where = method === 'GET' ? 'query' : 'body'
  const known = Object.keys(fields)
  const expected = known.length === 0 ? 'no field' : known.join(', ')
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const codec = known.includes(name) ? fields[name] : undefined
      if (codec === undefined)
        throw new ApiError(
          400,
          `Unknown field ${JSON.stringify(name)} in the ${where}. Expected ${expected}.`,
        )
      const decoded = codec.decode(value)
      if (decoded._tag === 'Left')
        throw new ApiError(400, `Field ${name} in the ${where}: expected ${codec.name}.`)
      return [name, decoded.right]
    }),
  )
}

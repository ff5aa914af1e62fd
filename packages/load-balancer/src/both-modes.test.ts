import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import fc from 'fast-check'
import { type RawRequest, requestEvent } from './contract/index.ts'
import {
  type Answer,
  any,
  bytes,
  created,
  file,
  type HttpRequest,
  html,
  json,
  loadBalancer,
  noContent,
  problem,
  redirect,
  text,
  toWebRequest,
  withCookie,
} from './index.ts'
import { arbitraryRequest, arbitraryText } from './testing/arbitrary.ts'
import { exchange, httpEvent } from './testing/index.ts'

const group = { targetGroupArn: 'group' }
const log = () => undefined

/** Generates requests without repeated headers, because a single-value event has only the last value of each header. */
const request: fc.Arbitrary<RawRequest> = arbitraryRequest().map(each => ({
  ...each,
  headers: [...new Map(each.headers?.map(([name, value]) => [name.toLowerCase(), value]))],
}))

/**
 * Returns everything that a handler can read from a request. Only the last value of a repeated parameter is read,
 * because single-value events do not contain the other values.
 */
function read(request: HttpRequest<unknown>): unknown {
  const attempt = (run: () => unknown) => {
    try {
      return run()
    } catch (error) {
      return { status: (error as { statusCode: number }).statusCode, says: String(error) }
    }
  }
  const { method, path, params, query, headers, cookies, clientAddress, protocol, correlationId } = request
  return {
    ...{ method, path, params, clientAddress, protocol, correlationId, cookies: { ...cookies } },
    query: query.names().map(name => [name, query.all(name).at(-1)]),
    headers: headers.names().map(name => [name, headers.all(name), headers.first(name)]),
    isHealthCheck: request.isHealthCheck,
    bytes: attempt(() => [...request.bytes()]),
    body: attempt(() => {
      const { body } = request
      return body instanceof URLSearchParams ? [...body] : body
    }),
    web: attempt(() => [new URL(toWebRequest(request).url).pathname, [...toWebRequest(request).headers]]),
  }
}

const headers = fc.dictionary(
  fc.constantFrom('x-a', 'Vary', 'cache-control', 'CONTENT-TYPE', 'connection'),
  fc.constantFrom('a', 'b, c', 7, null, ['d', 'e']),
)
const answer: fc.Arbitrary<Answer> = fc.oneof(
  fc.tuple(fc.jsonValue(), headers).map(([value, headers]) => json(value as object, { headers })),
  arbitraryText().map(content => text(content)),
  fc.string().map(content => html(content)),
  fc.uint8Array().map(content => bytes(content)),
  arbitraryText().map(name => file('x', name)),
  fc.webUrl().map(location => redirect(location)),
  fc.string().map(location => created(`/${location}`)),
  fc.constant(noContent()),
  fc.integer({ min: 400, max: 599 }).map(status => problem(status, 'why')),
  fc.string().map(value => withCookie(json(1), 'a', value)),
  headers.map(multiValueHeaders => ({ statusCode: 200, headers: multiValueHeaders, multiValueHeaders })),
)

describe('the same request with single-value and with multi-value headers', () => {
  it('gives the handler the same values', async () => {
    let seen: unknown[] = []
    const route = (request: HttpRequest<unknown>) => {
      seen.push(read(request))
      return noContent()
    }
    const handler = served(route)
    await fc.assert(
      fc.asyncProperty(request, async raw => {
        seen = []
        const [one, many] = [false, true].map(multiValue => requestEvent(raw, { ...group, multiValue }))
        const single = await exchange(handler, one!)
        const multi = await exchange(handler, many!)
        expect(multi.status).toBe(single.status)
        expect(multi.text).toBe(single.text)
        // Both modes answer a malformed escape in the path with 400.
        expect(seen).toHaveLength(single.status === 400 ? 0 : 2)
        expect(seen[1]).toEqual(seen[0])
      }),
      { numRuns: 400 },
    )
  })

  it('gets the same response', async () => {
    let reply: Answer = noContent()
    const handler = served(() => reply)
    await fc.assert(
      fc.asyncProperty(request, answer, async (raw, any) => {
        reply = any
        const single = await answered(handler, raw, false)
        expect(single).toMatchObject({ kind: 'answered' })
        expect(await answered(handler, raw, true)).toEqual(single)
      }),
      { numRuns: 300 },
    )
  })
})

describe('a route that answers with multiValueHeaders in multi-value mode', () => {
  it('also sends a header that a hook adds to its `headers` map', async () => {
    const handler = served(() => ({ statusCode: 200, multiValueHeaders: { 'x-a': ['1', '2'] } })).after(
      ({ response }: { response: { headers: Record<string, string> } }) => {
        response.headers['x-b'] = '3'
      },
    )
    const result = await exchange(handler, httpEvent('GET', '/', { multiValue: true }))
    expect(result.header('x-a').join(', ')).toBe('1, 2')
    expect(result.header('x-b')).toEqual(['3'])
  })
})

describe('an event with a multi-value query and single-value headers', () => {
  const { requestContext, ...rest } = httpEvent('GET', '/')
  const event = {
    ...rest,
    targetGroupArn: requestContext.elb.targetGroupArn,
    queryStringParameters: { a: '2' },
    multiValueQueryStringParameters: { a: ['1', '2'] },
    headers: { 'x-a': 'b' },
  } as never

  it('gets a response with multi-value headers', async () => {
    const handler = served(({ query, headers }) =>
      withCookie(withCookie(json([query.all('a'), headers.all('x-a')]), 'a', '1'), 'b', '2'),
    )
    const result = await exchange(handler, event)
    expect(result).toMatchObject({ status: 200, json: [['1', '2'], ['b']] })
    expect(result.header('set-cookie')).toHaveLength(2)
  })
})

function served(route: (request: HttpRequest<unknown>) => Answer) {
  return signalbox(loadBalancer([any('/', route), any('/{first}', route), any('/{path+}', route)], { log }))
}

/** Returns the response as it is sent, with the values of a repeated header joined with commas. */
async function answered(handler: ReturnType<typeof served>, raw: RawRequest, multiValue: boolean) {
  const { verdict, header } = await exchange(handler, requestEvent(raw, { ...group, multiValue }))
  const names = new Set(verdict.headers.map(([name]) => name))
  return {
    kind: verdict.kind,
    statusLine: verdict.statusLine,
    headers: [...names].map(name => [name, header(name).join(', ')]),
    body: [...verdict.body],
  }
}

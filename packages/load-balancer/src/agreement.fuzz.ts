import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import {
  type HttpVerdict,
  httpVerdict,
  type LoadBalancerEvent,
  type LoadBalancerResponse,
} from './contract/index.ts'
import { serialize } from './response/serializer.ts'
import { arbitraryHttpEvent, arbitraryText } from './testing/arbitrary.ts'

/**
 * Returns an arbitrary that generates most values with `good` and a few with `bad`, so that an invalid answer usually
 * has only one error.
 */
const mostly = <A, B>(good: fc.Arbitrary<A>, bad: fc.Arbitrary<B>) =>
  fc.oneof({ weight: 20, arbitrary: good }, { weight: 1, arbitrary: bad })

const value = mostly(fc.string(), arbitraryText())
const name = mostly(
  fc.constantFrom(
    ...[
      'x-a',
      'X-A',
      'set-cookie',
      'Set-Cookie',
      'vary',
      'Vary',
      'location',
      'Location',
      'link',
      'connection',
    ],
    ...['content-type', 'Content-Type', 'content-encoding', 'content-length', 'constructor', '__proto__'],
  ),
  value,
)
const cookie = fc.constantFrom('a=1', 'a=2', 'b=1; Path=/', 'b=2; Path=/')
const single = fc.oneof(value, cookie)
const odd = fc.oneof(fc.jsonValue(), fc.integer(), fc.constant(null))
const description = fc.oneof(
  value,
  fc.constantFrom('200 OK', '404 Not Found', '', ' ', '200', 'OK', ' 404  x '),
)

/** Generates answers with all fields of the contract, most of them valid. */
const whole = fc.record({
  statusCode: mostly(
    fc.oneof(fc.integer({ min: 200, max: 599 }), fc.constantFrom(200, 204, 205, 304, 404)),
    odd,
  ),
  statusDescription: mostly(description, odd),
  isBase64Encoded: mostly(fc.constant(false), fc.oneof(fc.boolean(), odd)),
  headers: mostly(fc.dictionary(name, mostly(single, odd), { maxKeys: 4 }), odd),
  multiValueHeaders: mostly(
    fc.dictionary(name, mostly(fc.array(single, { maxLength: 3 }), odd), { maxKeys: 4 }),
    odd,
  ),
  body: mostly(fc.oneof(value, fc.base64String()), odd),
})

/** Generates any answer: valid, invalid in one place, or unusual. */
export const answer: fc.Arbitrary<unknown> = mostly(
  fc
    .tuple(
      whole,
      fc.subarray(['headers', 'multiValueHeaders', 'body']),
      mostly(fc.constant(''), fc.oneof(fc.string(), fc.constantFrom('bodyy', 'Headers', 'cookies'))),
    )
    .chain(([fields, without, more]) => {
      const kept = Object.entries(fields).filter(([field]) => !without.includes(field))
      const extended = more === '' ? kept : [...kept, [more, 1]]
      return mostly(fc.constant(extended), fc.subarray(extended)).map(entries => Object.fromEntries(entries))
    }),
  odd,
)

/**
 * Returns the response that the client gets. The values of a repeated header are joined with commas. Cookies stay
 * separate.
 */
function onWire({ statusLine, headers, body }: Pick<HttpVerdict, 'statusLine' | 'headers' | 'body'>) {
  const lines = new Map<string, string[]>()
  for (const [name, text] of headers) {
    const lower = name.toLowerCase()
    // The content-length depends only on the body, so it is not compared.
    if (lower === 'content-length') continue
    lines.set(lower, [...(lines.get(lower) ?? []), text])
  }
  const joined = [...lines].map(
    ([name, texts]) => [name, name === 'set-cookie' ? texts : texts.join(', ')] as const,
  )
  return { statusLine, headers: Object.fromEntries(joined), body: Buffer.from(body).toString('latin1') }
}

/** Converts the output of the serializer to the form that `onWire` returns. */
function written(out: LoadBalancerResponse) {
  const { statusDescription, headers, multiValueHeaders, body = '', isBase64Encoded } = out
  const lines = Object.entries(multiValueHeaders ?? headers!).flatMap(([name, texts]) =>
    [texts].flat().map(text => [name, text] as const),
  )
  const statusLine = `HTTP/1.1 ${statusDescription}`
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  return onWire({ statusLine, headers: lines, body: bytes })
}

/**
 * Passes an answer to the serializer and to the load balancer. Throws if they make different responses from it.
 * @returns the name of the case
 */
export function compareSides(value: unknown, event: LoadBalancerEvent): string {
  const answer: unknown = JSON.parse(JSON.stringify(value))
  const direct = httpVerdict(JSON.stringify(answer), event)
  if (direct.kind === 'refused') return 'refused before the function'
  let out: LoadBalancerResponse
  try {
    out = serialize(answer, event)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'INVALID_RESPONSE') throw error
    if (direct.kind === 'malformed' || /did you mean/.test(String(error))) return 'refused by both'
    throw new Error(`the function refuses what the load balancer takes: ${error}`)
  }
  const through = httpVerdict(JSON.stringify(out), event)
  if (through.kind !== 'answered') throw new Error(`what is let out is ${through.kind}: ${through.why}`)
  if (!isDeepStrictEqual(onWire(through), written(out)))
    throw new Error(`what is let out arrives as another: ${JSON.stringify([out, onWire(through)])}`)
  if (!isDeepStrictEqual(serialize(out, event), out)) throw new Error('what is let out is changed again')
  if (direct.kind === 'malformed') {
    const fields = direct.problems.map(({ pointer }) => pointer.split('/')[1] ?? '')
    // The serializer corrects these fields, so a reply can omit them or contain them in another form.
    const mended = ['statusDescription', 'isBase64Encoded', 'body', 'headers', 'multiValueHeaders']
    if (fields.length === 0 || !fields.every(field => mended.includes(field)))
      throw new Error(`the function lets out what the load balancer refuses: ${direct.why}`)
    return 'mended'
  }
  const [sent, raw] = [onWire(through), onWire(direct)]
  // The serializer adds a content type when the answer has none, so the content type is not compared.
  if (raw.headers['content-type'] === undefined) delete sent.headers['content-type']
  if (!isDeepStrictEqual(sent, raw))
    throw new Error(`the sides differ: ${JSON.stringify(sent)} and ${JSON.stringify(raw)}`)
  return 'the same'
}

/** Checks that the serializer and the verdict agree on every generated answer. */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(answer, arbitraryHttpEvent(), (any, event) => {
      const result = compareSides(any, event)
      seen.set(result, (seen.get(result) ?? 0) + 1)
    }),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  )
  return `${runs} answers: ${[...seen].map(([what, count]) => `${count} ${what}`).join(', ')}`
}

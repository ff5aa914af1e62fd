import fc from 'fast-check'
import { httpVerdict } from './contract/index.ts'
import { serialize } from './response/serializer.ts'
import { arbitraryHttpEvent, arbitraryText } from './testing/arbitrary.ts'

/**
 * Returns an arbitrary that generates most values with `good` and a few with `bad`, so that most answers are valid,
 * although they have many parts.
 */
const mostly = <A, B>(good: fc.Arbitrary<A>, bad: fc.Arbitrary<B>) =>
  fc.oneof({ weight: 15, arbitrary: good }, { weight: 1, arbitrary: bad })

const text = mostly(fc.string(), arbitraryText())
const name = mostly(fc.constantFrom('x-a', 'set-cookie', 'Vary', 'connection', 'content-type'), text)
const headers = fc.dictionary(name, mostly(text, fc.jsonValue()), { maxKeys: 3 })
const lists = fc.dictionary(name, mostly(fc.array(text, { maxLength: 3 }), fc.jsonValue()), { maxKeys: 3 })
const answer = fc
  .record({
    statusCode: mostly(fc.integer({ min: 200, max: 599 }), fc.oneof(fc.integer(), fc.jsonValue())),
    statusDescription: mostly(text, fc.jsonValue()),
    isBase64Encoded: mostly(fc.constant(false), fc.jsonValue()),
    headers: mostly(headers, fc.jsonValue()),
    multiValueHeaders: mostly(lists, fc.jsonValue()),
    body: mostly(fc.oneof(text, fc.base64String()), fc.oneof(fc.uint8Array(), fc.jsonValue())),
  })
  .chain(whole =>
    mostly(fc.constant<object>(whole), fc.subarray(Object.entries(whole)).map(Object.fromEntries)),
  )
const payload = mostly(
  answer.map(value => JSON.stringify(value)),
  fc.oneof(arbitraryText(), fc.json()),
)

/**
 * Checks that the verdict on any payload is a valid HTTP response, and that the serializer's output is never
 * malformed.
 */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  const seen = { answered: 0, refused: 0, malformed: 0, serialized: 0 }
  fc.assert(
    fc.property(payload, answer, arbitraryHttpEvent(), (anyText, reply, event) => {
      const verdict = httpVerdict(anyText, event)
      seen[verdict.kind]++
      for (const [name, value] of verdict.headers) {
        if (/[\r\n\0]/.test(name + value))
          throw new Error(`a header that splits: ${JSON.stringify([name, value])}`)
      }
      if (!/^HTTP\/1\.1 [2-5]\d\d [\t\x20-\x7e\x80-\xff]*$/.test(verdict.statusLine))
        throw new Error(verdict.statusLine)
      let response: unknown
      try {
        response = serialize(reply, event)
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'INVALID_RESPONSE') throw error
        return
      }
      seen.serialized++
      const sent = httpVerdict(JSON.stringify(response), event)
      if (sent.kind !== 'answered')
        throw new Error(`the serializer let out what is ${sent.kind}: ${sent.why}`)
    }),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  )
  return `${runs} payloads: ${seen.answered} answered, ${seen.malformed} malformed, ${seen.refused} refused; ${seen.serialized} replies serialized, none malformed`
}

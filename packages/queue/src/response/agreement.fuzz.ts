import { isDeepStrictEqual } from 'node:util'
import middy from '@middy/core'
import { changedInOnePlace } from '@signalbox/core/testing'
import { anyChange, anyJsonOr } from '@signalbox/core/testing/agreement-suite'
import fc from 'fast-check'
import { batchVerdict, type QueueEvent } from '../contract/index.ts'
import { arbitraryQueueEvent } from '../testing/arbitrary.ts'
import { failureCollector } from './failure-collector.ts'
import { groupOf, isFifo } from './fifo.ts'
import { partialFailures } from './partial-failures.ts'

/*
 * The intended differences between the function side and the platform for the same response:
 *
 * 1. The function side refuses an empty response: undefined, null, or an object whose `batchItemFailures` is missing or
 * null. The platform treats it as a success and deletes the batch, although most likely a return statement was
 * forgotten.
 * 2. The function side accepts an array of ids, the results of `Promise.allSettled`, and a collector, and turns them
 * into the contract's response. The platform does not accept them.
 * 3. In a FIFO batch, the function side adds the later messages of a failed group. The platform would delete them,
 * because they are not listed, and the group would be out of order.
 * 4. The function side also reads a list that JSON omits, because it is a getter of a class. JSON writes `{}` for
 * such a response, and the platform deletes the batch.
 */

/** Makes the response to a batch. It is called once for the function and once for the platform. */
export type Answer = (event: QueueEvent) => unknown

const picks = fc.array(fc.nat(), { maxLength: 6 })
const pickedFrom = (event: QueueEvent, chosen: readonly number[]) =>
  event.Records.length === 0
    ? []
    : chosen.map(number => event.Records[number % event.Records.length]!.messageId)
const inOrder = (event: QueueEvent, ids: readonly string[]) =>
  event.Records.map(({ messageId }) => messageId).filter(id => ids.includes(id))
const asFailures = (ids: readonly string[]) => ids.map(itemIdentifier => ({ itemIdentifier }))

const right: fc.Arbitrary<Answer> = fc.tuple(picks, fc.boolean(), fc.constantFrom({}, { note: 'more' })).map(
  ([chosen, sorted, more]): Answer =>
    event => {
      const ids = pickedFrom(event, chosen)
      return { batchItemFailures: asFailures(sorted ? inOrder(event, ids) : ids), ...more }
    },
)

const odd = anyJsonOr(
  ...[undefined, null, '', 7, true, {}, [], [null], 'batchItemFailures', [[]]],
  ...[{ errorMessage: 'failed' }, { batchItemFailures: null }, { statusCode: 500 }],
)
const change = anyChange(odd, ['itemId', 'messageId', 'batchItemFailure', 'x'])

class Holder {
  readonly #ids: readonly string[]
  constructor(ids: readonly string[]) {
    this.#ids = ids
  }
  get batchItemFailures() {
    return asFailures(this.#ids)
  }
}

class Failure {
  readonly #id: string
  constructor(id: string) {
    this.#id = id
  }
  get itemIdentifier() {
    return this.#id
  }
}

/** Generates functions that make a response whose JSON differs from its fields. */
const notJson = fc.constantFrom<(ids: readonly string[], event: QueueEvent) => unknown>(
  ids => new Holder(ids),
  ids => Object.create({ batchItemFailures: asFailures(ids) }),
  ids => ({ batchItemFailures: ids.map(id => new Failure(id)) }),
  ids => ({ batchItemFailures: ids.map(id => Object.create({ itemIdentifier: id })) }),
  ids => ({ batchItemFailures: asFailures(ids), toJSON: () => ({}) }),
  ids => ({ batchItemFailures: Object.assign(asFailures(ids), { toJSON: () => [] }) }),
  ids => ({ batchItemFailures: asFailures(ids).map(item => ({ ...item, toJSON: () => ({}) })) }),
  ids => Object.defineProperty({}, 'batchItemFailures', { value: asFailures(ids) }),
  ids => ({ batchItemFailures: new Set(asFailures(ids)) }),
  ids => new Set(ids),
  ids => new Map([['batchItemFailures', asFailures(ids)]]),
  ids => ids.values(),
  ids => ({ batchItemFailures: asFailures(ids), cause: 1n }),
)

const convenient = fc.constantFrom<(ids: readonly string[], event: QueueEvent) => unknown>(
  ids => ids,
  (ids, event) => {
    const failures = failureCollector(event)
    for (const id of ids) failures.add(id, 'failed')
    return failures
  },
  (ids, { Records }) =>
    Records.map(({ messageId }) =>
      ids.includes(messageId) ? { status: 'rejected', reason: 'failed' } : { status: 'fulfilled', value: 7 },
    ),
)

/**
 * Generates any response to a batch: valid, invalid in one place, in another form that the function side accepts, not
 * representable in JSON, or unusual.
 */
export const answers: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 4, arbitrary: right },
  {
    weight: 5,
    arbitrary: fc.tuple(right, fc.nat(), change).map(
      ([make, ...place]): Answer =>
        event =>
          changedInOnePlace(make(event), ...place),
    ),
  },
  { weight: 1, arbitrary: odd.map(value => () => value) },
  {
    weight: 2,
    arbitrary: fc.tuple(picks, fc.oneof(convenient, notJson)).map(
      ([chosen, make]): Answer =>
        event =>
          make(pickedFrom(event, chosen), event),
    ),
  },
)

let answer: Answer
const handler = middy()
  .use(partialFailures())
  .handler(async (event: QueueEvent) => answer(event))

/**
 * Compares the results of the function side and the platform for the same response. Throws for a difference that is not
 * listed above, and otherwise returns the name of the case.
 */
export async function compareSides(given: Answer, event: QueueEvent): Promise<string> {
  const direct = batchVerdict(written(given(event)), event)
  answer = given
  let out: unknown
  try {
    out = await handler(event, {} as never)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'INVALID_RESPONSE') throw error
    if (direct.kind === 'failure') return 'refused by both'
    if (direct.kind === 'success' && !/is empty$/.test(direct.why)) return 'refused, since it is empty'
    if (direct.why === 'the response is empty') return 'refused, since it is empty'
    throw new Error(`the function refuses what the platform takes for ${direct.kind}: ${error}`)
  }
  const through = batchVerdict(written(out), event)
  if (through.kind === 'failure') throw new Error(`what is let out is a failure: ${through.why}`)
  const sent = failedIn(through)
  const missing = groupsOf(sent, event).filter(id => !sent.includes(id))
  if (missing.length > 0) throw new Error(`later messages of a group are missing: ${missing}`)
  const meant = meantBy(given(event), event)
  if (!isSameSet(sent, groupsOf(meant, event)))
    throw new Error(`what is let out names ${sent}, where the answer named ${meant}`)
  if (direct.kind === 'failure') return 'in a convenient form'
  const raw = failedIn(direct)
  if (isSameSet(sent, raw)) return 'the same'
  if (isSameSet(sent, groupsOf(raw, event))) return 'the same, with later messages of a group'
  if (!isJson(given(event))) return 'what JSON does not say'
  throw new Error(`the sides differ: ${sent} and ${raw}`)
}

const isSameSet = (one: readonly string[], other: readonly string[]) =>
  isDeepStrictEqual(new Set(one), new Set(other))

const failedIn = (verdict: ReturnType<typeof batchVerdict>): readonly string[] =>
  verdict.kind === 'partial' ? verdict.failed : []

/** Returns these ids and, in a batch of a FIFO queue, the ids of all later messages of their groups. */
function groupsOf(ids: readonly string[], { Records }: QueueEvent): readonly string[] {
  if (!isFifo(Records)) return ids
  const stopped = new Set<string | undefined>()
  return Records.filter(record => {
    if (ids.includes(record.messageId)) stopped.add(groupOf(record))
    return stopped.has(groupOf(record))
  }).map(({ messageId }) => messageId)
}

/** Returns the failed ids that the fields of a response name, even if its JSON omits them. */
function meantBy(given: unknown, { Records }: QueueEvent): readonly string[] {
  const { batchItemFailures, reasons } = given as {
    readonly batchItemFailures?: Iterable<{ readonly itemIdentifier: string }>
    readonly reasons?: ReadonlyMap<string, unknown>
  }
  if (reasons instanceof Map) return [...reasons.keys()]
  if (batchItemFailures !== undefined)
    return [...batchItemFailures].map(({ itemIdentifier }) => itemIdentifier)
  return (given as readonly (string | { readonly status: string })[]).flatMap((item, position) => {
    if (typeof item === 'string') return [item]
    return item.status === 'rejected' ? [Records[position]!.messageId] : []
  })
}

/** Returns whether the JSON of a response contains all its data. */
function isJson(value: unknown): boolean {
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  const isShown =
    Array.isArray(value) || Object.getOwnPropertyNames(value).length === Object.keys(value as object).length
  return isPlain && isShown && isDeepStrictEqual(JSON.parse(written(value)), value)
}

/** Returns a value as JSON, or a string that is not JSON when the value cannot be serialized. */
function written(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return 'not JSON'
  }
}

/** Checks that the function side and the platform agree on any response to a batch. */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(arbitraryQueueEvent, answers, async (event, given) => {
      const found = await compareSides(given, event)
      seen.set(found, (seen.get(found) ?? 0) + 1)
    }),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  )
  return `${runs} answers: ${[...seen].map(([what, count]) => `${count} ${what}`).join(', ')}`
}

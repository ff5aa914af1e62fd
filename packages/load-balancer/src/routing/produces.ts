import { InvalidOptionError } from '@signalbox/core'
import { HttpError } from '../response/http-error.ts'
import { type Guard, guard } from './guard.ts'

/** A guard with the media types in which its routes can answer. */
export interface Produces<T extends string> extends Guard<{ readonly answerType: T }> {
  readonly answerTypes: readonly string[]
}

/**
 * Returns a guard that chooses the media type of the answer: the type that the `accept` header prefers, or the first of
 * several types that it prefers equally. The answer to a request that accepts none of the types is 406. Routes find the
 * chosen type in `answerType`. Add `vary: accept` to answers that a cache may store.
 *
 * @example
 * get('/report', { guard: produces('application/json', 'text/csv') }, ({ answerType }) =>
 *   answerType === 'text/csv' ? text(csv(), { headers: { 'content-type': answerType } }) : json(rows),
 * )
 *
 * @throws InvalidOptionError if there is no media type, or if a value is not a media type
 */
export function produces<const T extends string>(...types: readonly [T, ...T[]]): Produces<T> {
  const wrong = types.find(type => !/^[^\s/;,*]+\/[^\s/;,*]+$/.test(type))
  if (types.length === 0 || wrong !== undefined) {
    throw new InvalidOptionError(
      `produces() takes media types such as application/json, not ${JSON.stringify(wrong)}`,
    )
  }
  return Object.assign(
    guard(({ headers }) => {
      const answerType = preferred(types, headers.all('accept').join())
      if (answerType === undefined) throw new HttpError(406, `The answer is ${types.join(' or ')}`)
      return { answerType }
    }),
    { name: 'produces', answerTypes: types },
  ) as Produces<T>
}

// The maximum number of characters of `accept` that are read. Real clients send shorter headers, and reading a longer
// header would take more time.
const longestPreference = 1000

/**
 * Returns the type that a client prefers (RFC 9110, 12.5.1). The weight of a type is that of the most
 * specific media range that contains it.
 */
function preferred<T extends string>(types: readonly T[], accept: string): T | undefined {
  if (accept.trim() === '') return types[0]
  const weights = new Map<string, number>()
  for (const part of accept.slice(0, longestPreference).toLowerCase().split(',')) {
    const [range, ...parameters] = part.split(';').map(each => each.trim())
    const q = parameters.find(each => each.startsWith('q='))
    weights.set(range!, q === undefined ? 1 : Number(q.slice(2)) || 0)
  }
  let best: { readonly type: T; readonly weight: number } | undefined
  for (const type of types) {
    const name = type.toLowerCase()
    const weight = weights.get(name) ?? weights.get(`${name.split('/')[0]}/*`) ?? weights.get('*/*') ?? 0
    if (weight > (best?.weight ?? 0)) best = { type, weight }
  }
  return best?.type
}

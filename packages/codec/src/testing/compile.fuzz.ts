import fc from 'fast-check'
import * as t from 'io-ts'
import { custom, leaves, objectOf } from '../../fixtures/leaves.ts'
import { fromJson } from '../decode/from-json.ts'
import type { Codec } from '../io-ts/codec-of.ts'
import * as wire from '../wire/index.ts'
import { agree, hostile, hostileKeys, type Make, twistedOf } from './hostile.fuzz.ts'

/** A codec with a generator of values that it probably accepts. */
interface Sample {
  readonly codec: Codec
  readonly make: fc.Arbitrary<Make>
}

const leaf = fc.constantFrom(
  ...leaves.map(([codec, ...makes]): Sample => ({ codec, make: fc.constantFrom(...makes) })),
)

/** A subclass whose guards are narrower than those of io-ts. */
class Excess extends t.InterfaceType<t.Props> {
  constructor(codec: t.TypeC<t.Props>) {
    const most = Object.keys(codec.props).length
    super(
      'Excess',
      (u): u is unknown => codec.is(u) && Object.keys(u).length <= most,
      codec.validate,
      codec.encode,
      codec.props,
    )
  }
}

const name = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('a', 'b', 'c') },
  { weight: 1, arbitrary: fc.constantFrom(...hostileKeys) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
)

function propsOf({ names, parts }: Fields): Record<string, Codec> {
  return objectOf(names, i => parts[i]!.codec)
}

/** Returns a field for an object. Its kind depends on `i`, so that all kinds occur. */
function fieldOf(codec: Codec, i: number): wire.Field {
  return [wire.required, wire.optional, wire.omittable][i % 3]!(codec)
}

/**
 * Returns a union of the codecs. If io-ts fails, because a tag has the name of a method of objects, returns a codec for
 * any value.
 */
function union(parts: readonly Codec[]): Codec {
  try {
    return t.union(parts as [Codec, Codec])
  } catch {
    return t.unknown
  }
}

/** Generates objects from the generators of their fields. Some objects lack a field. */
function objectsOf({ names, parts }: Fields): fc.Arbitrary<Make> {
  return fc.tuple(...parts.map(part => part.make)).map(makes => () => objectOf(names, i => makes[i]!()))
}

function arraysOf(part: Sample): fc.Arbitrary<Make> {
  return fc.array(part.make, { maxLength: 3 }).map(makes => () => makes.map(make => make()))
}

interface Fields {
  readonly names: readonly string[]
  readonly parts: readonly Sample[]
}

const { node } = fc.letrec<{ node: Sample }>(tie => {
  const some = fc.array(tie('node'), { minLength: 2, maxLength: 4 })
  const fields = fc
    .uniqueArray(fc.tuple(name, tie('node')), { maxLength: 4, selector: ([name]) => name })
    .map(entries => ({ names: entries.map(([name]) => name), parts: entries.map(([, part]) => part) }))
  const codecsOf = (parts: readonly Sample[]) => parts.map(({ codec }) => codec) as [Codec, Codec]
  const objects = (combine: (props: Record<string, Codec>) => unknown) =>
    fields.map((fields): Sample => ({ codec: combine(propsOf(fields)) as Codec, make: objectsOf(fields) }))
  const wrapped = (combine: (codec: Codec) => unknown, arrays = false) =>
    tie('node').map(
      (part): Sample => ({ codec: combine(part.codec) as Codec, make: arrays ? arraysOf(part) : part.make }),
    )
  const records = (domain: Codec) =>
    fc.tuple(fields, tie('node')).map(
      ([{ names }, part]): Sample => ({
        codec: t.record(domain, part.codec),
        make: objectsOf({ names, parts: names.map(() => part) }),
      }),
    )

  return {
    node: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'codec', withCrossShrink: true },
      leaf,
      objects(t.type),
      objects(t.partial),
      objects(t.strict),
      objects(props =>
        wire.object(
          'Wire',
          objectOf(Object.keys(props), i => fieldOf(Object.values(props)[i]!, i)),
        ),
      ),
      wrapped(wire.list, true),
      wrapped(codec => wire.map(codec)),
      wrapped(codec => wire.where(codec, u => u !== 1, 'Where')),
      fc.tuple(fields, fields, fc.constantFrom('kind', '__proto__')).map(([one, two, tag]) => ({
        codec: wire.byTag(
          'ByTag',
          tag,
          objectOf(['a', 'b'], i => t.type(propsOf([one, two][i]!)) as Codec),
        ),
        make: fc.tuple(objectsOf(one), objectsOf(two), fc.constantFrom('a', 'b', 'c')).map(
          ([one, two, value]) =>
            () =>
              Object.defineProperty(
                // Assigning a key named `__proto__` would set the prototype instead.
                Object.fromEntries([one(), two()].flatMap(part => Object.entries(part as object))),
                tag,
                { value, enumerable: true },
              ),
        ),
      })),
      objects(props => t.exact(t.partial(props))),
      objects(props => t.exact(t.intersection([t.type(props), t.partial(props)]))),
      objects(props => new Excess(t.type(props))),
      objects(props => t.recursion<unknown>('Recursive', () => t.type(props) as Codec)),
      // A recursive codec that is also the codec of one of its own fields.
      objects(props =>
        t.recursion<unknown>(
          'Recursive',
          self => t.type({ ...props, a: t.union([t.string, self]) }) as Codec,
        ),
      ),
      records(t.string),
      records(t.keyof({ a: 0, b: 0, ['__proto__']: 0 })),
      records(t.union([t.literal('a'), t.keyof({ b: 0 })])),
      records(custom(u => u !== 'b')),
      records(t.refinement(t.string, key => key.length < 2)),
      wrapped(t.array, true),
      wrapped(t.readonlyArray, true),
      wrapped(t.readonly),
      wrapped(fromJson),
      wrapped(codec => t.refinement(codec, u => u !== 1)),
      wrapped(codec =>
        t.refinement(codec, u => {
          if (codec.is(u)) return true
          throw new Error('asked about something else')
        }),
      ),
      wrapped(codec => t.brand(codec, (_u): _u is never => true, 'B')),
      wrapped(codec => t.record(t.string, codec)),
      // A custom codec with an io-ts guard.
      wrapped(codec => new t.Type('Borrowed', codec.is, codec.validate, codec.encode)),
      // An io-ts codec with a custom guard.
      wrapped(codec => Object.assign(Object.create(Object.getPrototypeOf(codec)), codec, { is: () => true })),
      some.map(parts => ({
        codec: union(codecsOf(parts)),
        make: fc.oneof(...parts.map(part => part.make)),
      })),
      some.map(parts => ({
        codec: t.intersection(codecsOf(parts)),
        make: fc.oneof(...parts.map(part => part.make)),
      })),
      some.map(parts => ({
        codec: t.tuple(codecsOf(parts)),
        make: fc.tuple(...parts.map(part => part.make)).map(makes => () => makes.map(make => make())),
      })),
      fc.tuple(fields, fields).map(both => ({
        codec: t.intersection([t.type(propsOf(both[0])), t.partial(propsOf(both[1]))]),
        make: fc.tuple(objectsOf(both[1]), objectsOf(both[0])).map(
          ([one, two]) =>
            () =>
              Object.assign(one() as object, two()),
        ),
      })),
      // Unions whose tag is a string or a number.
      fc.tuple(fields, fields, fc.constantFrom('kind', '"')).map(([one, two, tag]) => ({
        codec: union([
          t.type({ ...propsOf(one), [tag]: t.literal('a') }),
          union([t.type({ ...propsOf(two), [tag]: t.literal(1) }), t.strict({ [tag]: t.literal('b') })]),
        ]),
        make: fc.tuple(objectsOf(one), objectsOf(two), fc.constantFrom('a', 1, 'b', 'c')).map(
          ([one, two, value]) =>
            () =>
              // The fields are copied to a new object, because each of the two objects may refuse the fields of the
              // other.
              Object.defineProperty(Object.assign({}, one(), two()), tag, { value, enumerable: true }),
        ),
      })),
    ),
  }
})

/** Generates a codec and a value. The value is valid, contains a hostile part, or is hostile itself. */
export const codecsAndValues: fc.Arbitrary<[Codec, Make]> = node.chain(({ codec, make }) =>
  fc.tuple(fc.constant(codec), fc.oneof(make, twistedOf(make), hostile)),
)

/** Checks for any codec and value that the compiled guard agrees with `codec.is`. */
export function fuzz(runs: number, seed?: number): string {
  fc.assert(
    fc.property(codecsAndValues, ([codec, make]) => agree(codec, make)),
    {
      numRuns: runs,
      ...(seed === undefined ? {} : { seed }),
    },
  )
  return `${runs} codecs`
}

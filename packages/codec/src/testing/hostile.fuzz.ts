import fc from 'fast-check'
import * as t from 'io-ts'
import { compile } from '../guard/compile.ts'
import type { Codec } from '../io-ts/codec-of.ts'

/** Makes a new value at each call, because a check can change hostile values. */
export type Make = () => unknown

export const hostileKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'length',
  'every',
  '0',
  '',
  '"];throw 1;//',
  "'+f()+'",
  '`$' + '{1}`',
  '\\',
  '*/',
  '\n',
  '\u2028\u2029',
  '\ud800',
  'v',
  'c0',
]

class Instance {
  a = 'a'
  get b(): string {
    return 'b'
  }
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

/** Values that JSON cannot represent. */
export const hostile: fc.Arbitrary<Make> = fc.oneof(
  fc.constantFrom<Make>(
    () => undefined,
    () => null,
    () => Number.NaN,
    () => -0,
    () => 1,
    () => 1n,
    () => Symbol('s'),
    () => 'a',
    () => '1',
    () => false,
    () => () => 1,
    () => ({}),
    () => [],
    () => [undefined],
    () => new Array(2),
    () => Object.create(null),
    () => Object.create({ a: 'a', b: 1 }),
    () => Object.create([]),
    () => new Instance(),
    () => new Date(0),
    () => new Map(),
    () => new Error('e'),
    () => Object('a'),
    () => new Uint8Array(2),
    () => ({ [Symbol.toStringTag]: 'Array' }),
    () => ({ constructor: Array }),
    () => JSON.parse('{"__proto__": {"a": "a"}, "constructor": {"prototype": {}}}'),
    () => revoked({}),
    () => revoked([]),
    () => Object.create(new Proxy({}, { ownKeys: () => ['a'], get: () => 'a' })),
    () => Object.create(revoked({})),
  ),
  fc.string().map(text => () => text),
  fc.jsonValue().map(value => () => structuredClone(value)),
)

/** Functions that make an object or an array hostile. */
const twists: readonly ((holder: object, key: string) => unknown)[] = [
  holder => new Proxy(holder, {}),
  holder => Object.setPrototypeOf(holder, null),
  holder => Object.setPrototypeOf(holder, new Instance()),
  holder => Object.setPrototypeOf(holder, revoked({})),
  holder => Object.setPrototypeOf(holder, { ...holder }),
  holder => Object.freeze(holder),
  holder => Object.assign(Object.create(null), holder),
  holder => Object.assign(Object.create(holder), holder),
  holder => Object.create(holder),
  holder => Object.defineProperty(holder, Symbol.toStringTag, { value: 'Array' }),
  holder => Object.assign(holder, { every: () => 'yes' }),
  holder => Object.assign(holder, { every: undefined }),
  holder => Object.assign(holder, { length: 5 }),
  (holder, key) => Reflect.deleteProperty(holder, key) && holder,
  (holder, key) => Object.defineProperty(holder, key, { enumerable: false }),
  (holder, key) => Object.defineProperty(holder, key, { value: undefined, enumerable: true }),
  (holder, key) => {
    const value = Reflect.get(holder, key)
    return Object.defineProperty(holder, key, { get: () => value })
  },
  (holder, key) =>
    Object.defineProperty(holder, key, {
      get() {
        throw new Error(`getter ${key}`)
      },
    }),
  (holder, key) => Object.defineProperty(holder, 'extra', { value: key, enumerable: true }),
  ...(['get', 'has', 'ownKeys', 'getOwnPropertyDescriptor', 'getPrototypeOf'] as const).flatMap(trap => [
    (holder: object, key: string) =>
      new Proxy(holder, {
        [trap](target: object, asked: never) {
          if (trap.startsWith('getP') || trap === 'ownKeys' || asked === key) throw new Error(`trap ${trap}`)
          return (Reflect[trap] as (target: object, asked: never) => unknown)(target, asked)
        },
      }),
    (holder: object, key: string) =>
      new Proxy(holder, {
        [trap](target: object, asked: never) {
          if (trap === 'getPrototypeOf') return null
          if (trap === 'ownKeys') return []
          return asked === key
            ? undefined
            : (Reflect[trap] as (target: object, asked: never) => unknown)(target, asked)
        },
      }),
  ]),
]

/** Returns the value with one hostile change inside or around it. */
function twisted(value: unknown, path: readonly number[], twist: number, other: Make): unknown {
  if (typeof value !== 'object' || value === null) return twist % 2 ? value : other()
  try {
    const names = Object.keys(value)
    const [step = 0, ...rest] = path
    const key = names[step % names.length] ?? 'a'
    if (rest.length === 0) return twists[twist % twists.length]!(value, key)
    Object.defineProperty(value, key, {
      value: twisted(Reflect.get(value, key), rest, twist, other),
      enumerable: true,
      configurable: true,
      writable: true,
    })
    return value
  } catch {
    // Values of other kinds are already hostile, so they stay unchanged.
    return value
  }
}

/** Generates values with one hostile change inside or around them. */
export function twistedOf(make: fc.Arbitrary<Make>): fc.Arbitrary<Make> {
  return fc.tuple(make, fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }), fc.nat(1000), hostile).map(
    ([make, path, twist, other]) =>
      () =>
        twisted(make(), path, twist, other),
  )
}

/** Returns the result of a check, or its error. */
function result(check: () => unknown): unknown {
  try {
    return Boolean(check())
  } catch (error) {
    // The messages of the engine contain the names of variables, so only the class of the error is compared.
    return error instanceof TypeError || error instanceof RangeError ? error.name : String(error)
  }
}

/** Throws unless the compiled guard has the same result or the same error as `codec.is`. */
export function agree(codec: Codec, make: Make, guard: (u: unknown) => boolean = compile(codec)): void {
  const [expected, actual] = [result(() => codec.is(make())), result(() => guard(make()))]
  // A guard asks for own properties only where that can matter, which only such a Proxy can see.
  if (expected === 'Error: trap getOwnPropertyDescriptor') return
  // Where `is` overflows the stack, the guard might still return a result.
  if (expected !== actual && expected !== 'RangeError') {
    throw new Error(`${codec.name}.is: ${String(expected)}, the guard: ${String(actual)}`)
  }
}

const codecs: readonly Codec[] = [
  t.UnknownRecord,
  t.array(t.string),
  t.record(t.string, t.string),
  t.record(t.string, t.any),
  t.record(t.string, t.array(t.string)),
  t.record(t.union([t.literal('a'), t.literal('b')]), t.string),
  t.type({ a: t.string }),
  t.type({ a: t.unknown }),
  t.partial({ a: t.string, b: t.number }),
  t.tuple([t.string, t.number]),
]

/** Checks hostile values with a few codecs for objects and arrays. */
export function fuzz(runs: number, seed?: number): string {
  const values = twistedOf(
    fc.oneof(
      fc
        .dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('a', 1, undefined))
        .map(value => () => ({ ...value })),
      fc.array(fc.constantFrom('a', 1, undefined)).map(value => () => [...value]),
    ),
  )
  fc.assert(
    fc.property(fc.constantFrom(...codecs), fc.oneof(values, hostile), (codec, make) => agree(codec, make)),
    {
      numRuns: runs,
      ...(seed === undefined ? {} : { seed }),
    },
  )
  return `${runs} values`
}

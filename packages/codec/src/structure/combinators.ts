import { fingerprint } from './fingerprint.ts'

/**
 * The known guards of io-ts. The key is the codec's `_tag` without the ending `Type`. The value is the kind of the
 * codec and the fingerprints of `is`. Some codecs have several fingerprints, because bundlers rewrite them
 * differently.
 */
const guards: Readonly<Record<string, string>> = {
  // function (_) { return true; }
  Any: 'any 3k4wtk',
  Unknown: 'any 3k4wtk',
  // function (u) { return typeof u === '…'; }
  String: 'typeof 13mzw3y',
  Number: 'typeof lfs73s',
  Boolean: 'typeof hbaw0v',
  BigInt: 'typeof 6boqdg',
  Function: 'typeof 171yck9',
  // function (u) { return u === …; }
  Null: 'oneOf 14a09kc',
  Undefined: 'oneOf 1tmxcgj',
  Void: 'oneOf 1tmxcgj',
  Literal: 'oneOf 1jhadb6',
  // function (u) { return string.is(u) && hasOwnProperty.call(keys, u); }
  Keyof: 'oneOf 1oi36da',
  // function (u) { return u !== null && typeof u === 'object' && !Array.isArray(u); }
  AnyDictionary: 'object 1ei28ow 17ljiu2',
  // function (u) { if (UnknownRecord.is(u)) { for (…) { if (…) { return false; } } return true; } return false; }
  Interface: 'object 1wqhyf6 1ffn7na 1h0m1r8 rz8b9f',
  Partial: 'object 1roryww 18yolv8 4zyspy',
  // A record of known keys: function (u) { return exactCodec.is(u); }
  Keys: 'object 124g3m2',
  // function (u) { if (UnknownRecord.is(u)) { return Object.keys(u).every(…); } return isAnyC(codomain) && …; }
  Dictionary: 'record 12396os 138oyu3 sd2w2p',
  // The native function Array.isArray. The source texts of native functions differ only in their names.
  AnyArray: 'array isArray',
  // function (u) { return UnknownArray.is(u) && u.every(item.is); }
  Array: 'array 12vrvta',
  ReadonlyArray: 'array 12vrvta',
  // function (u) { return UnknownArray.is(u) && u.length === len && codecs.every(function (type, i) { … }); }
  Tuple: 'tuple cy07xi',
  // function (u) { return codecs.every(function (type) { return type.is(u); }); }
  Intersection: 'all oj72rb',
  // function (u) { return codecs.some(function (type) { return type.is(u); }); }
  Union: 'some 1cex1lq',
  // function (u) { if (UnknownRecord.is(u)) { var i = find_1(u[tag_1]); return i !== undefined ? … : false; } … }
  TaggedUnion: 'tagged 2n7tvj j6ydyf',
  // function (u) { return codec.is(u) && predicate(u); }
  Refinement: 'refinement 1q1enzd',
  // function (u) { return runDefinition().is(u); }
  Recursive: 'recursion 1g93suj',
}

type Guard = (u: unknown) => unknown

interface Functions {
  readonly is: unknown
  readonly validate: unknown
}

const own = Object.prototype.hasOwnProperty
// The text of a guard is read with this method, because a wrapper can override `toString` and return the text of the
// wrapped function.
const functionText = Function.prototype.toString

/**
 * Returns the kind of a codec that an io-ts combinator made, or undefined for a codec with another class or another
 * guard. It reads only the codec, so that a bundle contains no more of io-ts than its author uses.
 * @param name the tag of the codec without its ending, or the name of the kind when two kinds have the same tag
 */
export function combinatorKind(codec: Functions, name: string): string | undefined {
  const [kind, ...prints] = own.call(guards, name) ? guards[name]!.split(' ') : []
  const print = codec.is === Array.isArray ? 'isArray' : fingerprint(functionText.call(codec.is))
  if (!prints.includes(print) || !isOfTheLibrary(codec, name)) return undefined
  // In io-ts, `validate` is an anonymous function, neither an arrow function nor a bound function.
  if (!/^function ?\([^)]/.test(functionText.call(codec.validate))) return undefined
  return /object|record|tagged/.test(kind!) && asksObjects(codec.is as Guard) ? undefined : kind
}

/**
 * Returns whether a codec has a class of io-ts: a constructor function, not a `class`, whose parent is `Type` or, for a
 * tagged union, `UnionType`. The codec must also use the `decode` of that class. io-ts binds this method to the codec,
 * and a clone that decodes differently replaces it.
 */
export function isOfTheLibrary(codec: object, name: string): boolean {
  const prototype = Object.getPrototypeOf(codec)
  let above = Object.getPrototypeOf(prototype)
  if (name === 'TaggedUnion') above = above && Object.getPrototypeOf(above)
  return (
    above !== null &&
    own.call(above, 'pipe') &&
    /^function/.test(prototype.constructor) &&
    /\[native/.test((codec as { readonly decode: string }).decode)
  )
}

/**
 * Returns whether a guard reads `Symbol.toStringTag`. Guards of io-ts before 2.2.19 refuse a Date or a Map, but have
 * the same source text as later guards. So this function calls the guard with an object that records the read. The
 * object has no other fields, so the guard calls no codec of a field.
 */
function asksObjects(is: Guard): boolean {
  let asked = false
  is({
    get [Symbol.toStringTag]() {
      asked = true
      return ''
    },
  })
  return asked
}

import * as t from 'io-ts'

/** Returns a codec for a field that may be absent on the wire. */
export function optional<C extends t.Mixed>(codec: C) {
  return t.union([codec, t.undefined])
}

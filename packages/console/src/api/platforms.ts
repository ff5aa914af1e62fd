import * as t from 'io-ts'

/** A platform of those that share a storage. */
export const SharingPlatform = t.readonly(
  t.type({
    /** The name of its machine. */
    host: t.string,
    process: t.number,
    addresses: t.readonlyArray(t.readonly(t.type({ source: t.string, url: t.string }))),
    /** Milliseconds since the epoch. */
    started: t.number,
    /** Milliseconds since its last sign of life, by the clock of the storage. */
    seen: t.number,
    /** Whether that is recent enough. Other platforms take over what a missing platform had claimed. */
    isAlive: t.boolean,
  }),
)
export type SharingPlatform = t.TypeOf<typeof SharingPlatform>

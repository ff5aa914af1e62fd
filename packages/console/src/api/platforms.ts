import * as t from 'io-ts'

/** One of the platforms that share a storage. */
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
    /**
     * Whether the last sign of life is recent. If not, other platforms take over the work that this one had
     * claimed.
     */
    isAlive: t.boolean,
  }),
)
export type SharingPlatform = t.TypeOf<typeof SharingPlatform>

import * as t from 'io-ts'

/** One of the platforms that share a storage. */
export const SharingPlatform = t.readonly(
  t.type({
    /** The name of the machine on which the platform runs. */
    host: t.string,
    process: t.number,
    addresses: t.readonlyArray(t.readonly(t.type({ source: t.string, url: t.string }))),
    /** The time when the platform started, in milliseconds since the epoch. */
    started: t.number,
    /**
     * The number of milliseconds since the platform last renewed its entry in the storage, according to the storage's
     * clock.
     */
    seen: t.number,
    /**
     * Whether the platform has renewed its entry recently. If it has not, other platforms take over the work that it
     * had claimed.
     */
    isAlive: t.boolean,
  }),
)
export type SharingPlatform = t.TypeOf<typeof SharingPlatform>

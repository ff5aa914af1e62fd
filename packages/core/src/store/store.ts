/**
 * Stores keys that outlive one invocation, such as which messages were processed already. Each key expires after its `ttl`
 * in milliseconds. A database that can set a key if it is absent makes a store in ten lines; `memoryStore` and `keyvStore`
 * come with Signalbox.
 */
export interface Store {
  get(key: string): Promise<string | undefined>
  /** Sets the key unless it has a value, and returns whether it did. Of several simultaneous claims, one gets `true`. */
  setIfAbsent(key: string, value: string, ttl: number): Promise<boolean>
  set(key: string, value: string, ttl: number): Promise<void>
  /** Deletes the key. An absent key is not an error. */
  delete(key: string): Promise<void>
}

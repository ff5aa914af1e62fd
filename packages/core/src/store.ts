/**
 * Where marks are kept that outlive one invocation: what was done already, and what is being done. Every mark
 * goes by itself after its `ttl` in milliseconds. Any database that can set a key if it is absent makes a store
 * in ten lines; `memoryStore` and `keyvStore` come with Signalbox.
 */
export interface Store {
  get(key: string): Promise<string | undefined>
  /** Sets the key unless it has a value; answers whether it did. Of several claims at once, one gets `true`. */
  setIfAbsent(key: string, value: string, ttl: number): Promise<boolean>
  set(key: string, value: string, ttl: number): Promise<void>
  /** Forgets the key. It is no error when there is none. */
  delete(key: string): Promise<void>
}

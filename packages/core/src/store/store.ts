/**
 * Stores keys beyond one invocation, for example to remember which messages have already been handled. Each key expires
 * after its `ttl` in milliseconds. A store for a database that can set a key only if it is absent takes ten lines of
 * code. Signalbox provides `memoryStore` and `keyvStore`, `sqliteStore` in `@signalbox/core/sqlite-store`, and `postgresStore` in
 * `@signalbox/platform-postgres/store`.
 */
export interface Store {
  get(key: string): Promise<string | undefined>
  /**
   * Sets the key unless it has a value, and returns whether it was set. Of several simultaneous claims, exactly one
   * gets `true`.
   */
  setIfAbsent(key: string, value: string, ttl: number): Promise<boolean>
  set(key: string, value: string, ttl: number): Promise<void>
  /** Deletes the key. An absent key is not an error. */
  delete(key: string): Promise<void>
}

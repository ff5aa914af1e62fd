import type { OpenStorageEngine, StorageContext, StorageEngine } from './storage-engine.ts'

/** Opens a storage engine when a store is first needed. After a failure, the next use tries again. */
export function openOnce(open: OpenStorageEngine, context: StorageContext) {
  let opened: Promise<StorageEngine> | undefined
  const once = () => {
    opened ??= open(context).catch(error => {
      opened = undefined
      throw error
    })
    return opened
  }
  return Object.assign(once, { close: async () => (await opened)?.close() })
}

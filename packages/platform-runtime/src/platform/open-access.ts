import type { Clock } from '@signalbox/core'
import { type Access, makeAccess } from '../access/access.ts'
import { accessLog } from '../access/access-log.ts'
import type { AccessLogEntry, AccessLogQuery } from '../access/access-record.ts'
import {
  type AccessStore,
  type AccessStoreOptions,
  accessKeyVariable,
  accessStorage,
} from '../access/access-storage.ts'
import type { KeyTable } from '../access/access-tables.ts'
import { bucketSharing } from '../access/bucket-sharing.ts'
import { type KeyStore, keyStore } from '../access/key-store.ts'
import { makeOperatorKey, removeOperatorKey } from '../access/operator-key.ts'
import {
  accessDatabase,
  localAccessStore,
  localKeys,
  readLocalAccessLog,
} from '../access/sqlite/local-access-store.ts'
import type { Settings } from '../config/settings.ts'
import type { Random } from '../random.ts'
import { masterKey } from '../secrets/master-key.ts'
import { vault } from '../secrets/vault.ts'
import type { AccessKey } from '../signature/signature-v4.ts'
import { type DataDirectory, dataDirectory } from '../storage/data-directory.ts'
import type { OpenStorageEngine, StorageEngine } from '../storage/storage-engine.ts'

/** The access control of a platform, with functions that start and stop it. */
export interface OpenAccess {
  readonly access: Access
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

interface Parts {
  readonly clock: Clock
  readonly random: Random
}

/** Opens the access control of a platform. Returns undefined for a configuration without the key `access`. */
export function openAccess(
  { access: settings, dataDir, invocationLog: { age } }: Settings,
  directory: DataDirectory,
  engine: (() => Promise<StorageEngine>) | undefined,
  { notice, ...parts }: Parts & { readonly notice: (text: string) => void },
): OpenAccess | undefined {
  if (settings === undefined) return undefined
  let store: AccessStore | undefined
  let keys: KeyStore | undefined
  let operator: AccessKey | undefined
  const log = accessLog(() => store?.log, { clock: parts.clock, notice })
  const sharing = bucketSharing(() => store?.buckets, parts.clock)
  return {
    access: makeAccess(settings, {
      keys: () => keys,
      ...{ log, clock: parts.clock, share: engine && sharing.share },
      operator: () => operator,
    }),
    async start() {
      const options = { age, clock: parts.clock }
      const folder = dataDir === undefined ? undefined : directory.folder(accessDatabase)
      store =
        engine === undefined
          ? localAccessStore(directory, options)
          : await (await engine()).opener(accessStorage)(options)
      if (engine !== undefined) keys = storedKeys(store.keys, undefined, parts)
      else if (folder !== undefined) keys = storedKeys(store.keys, folder, parts)
      if (folder !== undefined) operator = makeOperatorKey(folder, parts.random)
    },
    async stop() {
      if (operator !== undefined) removeOperatorKey(directory.folder(accessDatabase))
      operator = undefined
      await log.close()
      await sharing.close()
      await store?.close()
      store = undefined
    },
  }
}

/**
 * Opens the stored keys.
 * @param folder the folder of the key that encrypts secrets; undefined for a database that several platforms share
 */
function storedKeys(keys: KeyTable, folder: string | undefined, parts: Parts): KeyStore {
  const fromEnvironment = process.env[accessKeyVariable]
  // A shared database needs a key from the environment, because other machines cannot read this machine's key file.
  if (folder === undefined && fromEnvironment === undefined)
    throw new Error(
      `Access keys in a shared database need one key for all platforms. Set the environment variable ${accessKeyVariable} to 32 random bytes in base64, such as the output of: openssl rand -base64 32`,
    )
  const key = masterKey(folder ?? '', fromEnvironment, accessKeyVariable, parts.random)
  return keyStore(keys, vault(key, parts.random), parts)
}

/** The settings with which commands open the stored keys and the access log. */
type StoreSettings = Pick<Settings, 'dataDir' | 'storage' | 'invocationLog'>

/** Calls a function with the stored keys. A platform may be using them at the same time. */
export async function withStoredKeys<T>(
  { dataDir, storage, invocationLog: { age } }: StoreSettings,
  parts: Parts,
  work: (store: KeyStore) => T | Promise<T>,
): Promise<T> {
  if (storage !== undefined)
    return withSharedStore(storage, { age, clock: parts.clock }, ({ keys }) =>
      work(storedKeys(keys, undefined, parts)),
    )
  const directory = dataDirectory(dataDir)
  const { keys, close } = localKeys(directory)
  try {
    return await work(storedKeys(keys, directory.folder(accessDatabase), parts))
  } finally {
    close()
  }
}

/** Returns the entries of the access log, even while a platform is writing to it. */
export async function readAccessLog(
  { dataDir, storage, invocationLog: { age } }: StoreSettings,
  { clock }: Pick<Parts, 'clock'>,
  query?: AccessLogQuery,
): Promise<readonly AccessLogEntry[]> {
  if (storage !== undefined) return withSharedStore(storage, { age, clock }, ({ log }) => log.read(query))
  return dataDir === undefined ? [] : readLocalAccessLog(dataDir, query)
}

async function withSharedStore<T>(
  open: OpenStorageEngine,
  options: AccessStoreOptions,
  work: (store: AccessStore) => T | Promise<T>,
): Promise<T> {
  const engine = await open({ clock: undefined, notice: () => {} })
  try {
    const store = await engine.opener(accessStorage)(options)
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  } finally {
    await engine.close()
  }
}

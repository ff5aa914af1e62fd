import type { Clock } from '@signalbox/core'
import type { Settings } from '../config/settings.ts'
import { invocationLogDatabase } from '../invocation-log/sqlite/local-invocation-log.ts'
import type { Random } from '../random.ts'
import { masterKey } from '../secrets/master-key.ts'
import { vault } from '../secrets/vault.ts'
import type { AccessKey } from '../signature/signature-v4.ts'
import { type DataDirectory, dataDirectory } from '../storage/data-directory.ts'
import { type Access, makeAccess } from './access.ts'
import { localAccessLog } from './access-log.ts'
import { accessDatabase, accessKeyVariable, type KeyStore, keyStore } from './key-store.ts'
import { makeOperatorKey, removeOperatorKey } from './operator-key.ts'

/** The access control of a platform, with functions that start and stop it. */
export interface OpenAccess {
  readonly access: Access
  readonly start: () => void
  readonly stop: () => void
}

interface Parts {
  readonly clock: Clock
  readonly random: Random
}

/** Opens the access control of a platform. Undefined for a configuration without the key `access`. */
export function openAccess(
  { access: settings, dataDir, invocationLog }: Settings,
  directory: DataDirectory,
  { clock, random, notice }: Parts & { readonly notice: (text: string) => void },
): OpenAccess | undefined {
  if (settings === undefined) return undefined
  const log = localAccessLog(directory.open(invocationLogDatabase), {
    age: invocationLog.age,
    clock,
    notice,
  })
  const keys = dataDir === undefined ? undefined : openKeys(directory, { clock, random })
  let operator: AccessKey | undefined
  return {
    access: makeAccess(settings, { store: keys?.store, log, clock, operator: () => operator }),
    start() {
      if (dataDir !== undefined) operator = makeOperatorKey(directory.folder(accessDatabase), random)
    },
    stop() {
      if (operator !== undefined) removeOperatorKey(directory.folder(accessDatabase))
      operator = undefined
      keys?.close()
      log.close()
    },
  }
}

function openKeys(directory: DataDirectory, parts: Parts) {
  const folder = directory.folder(accessDatabase)
  const seal = vault(
    masterKey(folder, process.env[accessKeyVariable], accessKeyVariable, parts.random),
    parts.random,
  )
  const database = directory.open(accessDatabase)
  return { store: keyStore(database, seal, parts), close: () => database.close() }
}

/** Runs work on the stored keys of a data directory, whether a platform is using it or not. */
export function withStoredKeys<T>(dataDir: string, parts: Parts, work: (store: KeyStore) => T): T {
  const { store, close } = openKeys(dataDirectory(dataDir), parts)
  try {
    return work(store)
  } finally {
    close()
  }
}

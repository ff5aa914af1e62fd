// #region once
import { memoryStore, signalbox } from '@signalbox/core'
import { once, userPool } from '@signalbox/user-pool'
import { confirmed } from './confirmed.ts'

export const onceConfirmed = signalbox(userPool(confirmed)).use(
  // In production, use sqliteStore(file), or a store in your database.
  once({ store: memoryStore(), triggers: ['PostConfirmation'] }),
)
// #endregion once

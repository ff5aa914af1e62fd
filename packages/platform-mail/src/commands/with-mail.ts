import type { OpenStorageEngine } from '@signalbox/platform-runtime/storage'
import { mailStorage, type StoredMails } from '../mail-storage.ts'

/** Runs a function with the mail in a storage engine, even if no platform is running. */
export async function withMail<T>(
  open: OpenStorageEngine,
  notice: (text: string) => void,
  work: (mails: StoredMails) => Promise<T>,
): Promise<T> {
  const engine = await open({ clock: undefined, notice })
  try {
    const mails = await engine.opener(mailStorage)()
    try {
      return await work(mails)
    } finally {
      await mails.store.close()
    }
  } finally {
    await engine.close()
  }
}

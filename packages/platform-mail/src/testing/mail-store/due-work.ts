import type { MailStore } from '../../store/mail-store.ts'

/** Claims the due invocations of the function `sort`. */
export const dueInvocations = async (store: MailStore, now: number, limit = 10) =>
  (await store.claimInvocations('sort', now, limit)).work

/** Claims the due deliveries into mailboxes. */
export const dueDeliveries = async (store: MailStore, now: number, limit = 10) =>
  (await store.claimDeliveries('mailbox', now, limit)).work

/** Returns the state of a stored mail. */
export const stateOf = async (store: MailStore, id: string) =>
  (await store.states()).find(state => state.id === id)!

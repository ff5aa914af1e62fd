export { mailStorage, type StoredMails } from './mail-storage.ts'
export { topLines, withCrlf } from './mailboxes/mail-file.ts'
export { mailboxAddress, mailboxPath } from './mailboxes/mailbox-path.ts'
export type { DeliveredMail, Mailboxes } from './mailboxes/mailboxes.ts'
export type { EarlyAttempt, RememberedDecision } from './store/early-decision.ts'
export { factsIn, factsText, type MailFacts } from './store/mail-facts.ts'
export {
  type ChangedContent,
  carrierOf,
  type DecidedBefore,
  type Destination,
  type MailCounts,
  type MailState,
  type MailStore,
  type NewMail,
  type NewRecipient,
  type RecipientReport,
  type StoredMail,
  type StoredRecipient,
} from './store/mail-store.ts'
export {
  alreadyAccepted,
  decisionReplaced,
  MailStoreError,
  notOneMail,
  notQueued,
  wrongState,
} from './store/mail-store-error.ts'
export {
  deliveryData,
  deliveryOf,
  deliveryWork,
  invocationOf,
  invocationWork,
  postponedData,
  recipientReport,
  workQueues,
} from './store/mail-work.ts'

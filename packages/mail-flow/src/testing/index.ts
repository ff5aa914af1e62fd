export { type MailEventOptions, mailEvent } from './mail-event.ts'
export { type Mutator, mailEventMutators } from './mutators.ts'

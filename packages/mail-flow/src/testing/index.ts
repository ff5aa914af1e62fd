export { type MailEventOptions, mailEvent } from './mail-event.ts'
export { type MemoryMessages, memoryMessages } from './memory-messages.ts'
export { type Mutator, mailEventMutators } from './mutators.ts'

export {
  type ArbitraryMailEventOptions,
  arbitraryAddress,
  arbitraryMailAction,
  arbitraryMailEvent,
  arbitraryMailResponse,
} from './arbitraries.ts'
export { type MailEventOptions, mailEvent } from './mail-event.ts'
export { type Mutator, mailEventMutators } from './mutators.ts'

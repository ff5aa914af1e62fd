export type { EntryAbout } from '../invocation-log/scan.ts'
export { type InvocationFilters, passes } from '../invocation-log/search.ts'
export type { Console, ConsoleContext, ConsoleFunction, OpenConsole } from './console.ts'
export type { ConsoleParts } from './console-parts.ts'
export { type ConsoleLoadBalancers, LoadBalancerState } from './load-balancers.ts'
export {
  AcceptedMail,
  type ConsoleMail,
  MailAction,
  MailboxMail,
  MailContent,
  MailToSend,
  OfferedMail,
} from './mails.ts'
export { optional } from './optional.ts'
export { type ConsoleQueues, MessageToSend, QueueMessage, QueueState, RedriveTask } from './queues.ts'
export { RefusedError } from './refused-error.ts'
export { type ConsoleSession, type SessionTable, sessionLimits, sessionStorage } from './session-storage.ts'
export {
  type ConsoleUserPools,
  PoolAccount,
  PoolAccountDetails,
  PoolMessage,
  PoolSignIn,
  PoolState,
  PoolUserAction,
} from './user-pools.ts'

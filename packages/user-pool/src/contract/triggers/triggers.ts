import { accountTriggers } from './account-triggers.ts'
import { messageTriggers } from './message-triggers.ts'
import { signInTriggers } from './sign-in-triggers.ts'

/**
 * The whole of docs/contract/user-pool.md: a trigger is a row. Codecs, TypeScript types, the normalizer, the router's
 * keys, the test builders and arbitraries all derive from this table. Rows, sources and fields that the contract does
 * not have are marked `extension`.
 */
export const triggers = { ...accountTriggers, ...signInTriggers, ...messageTriggers } as const

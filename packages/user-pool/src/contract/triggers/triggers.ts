import { accountTriggers } from './account-triggers.ts'
import { messageTriggers } from './message-triggers.ts'
import { signInTriggers } from './sign-in-triggers.ts'

/**
 * The table of docs/contract/user-pool.md, with a row for each trigger. Codecs, TypeScript types, the normalizer, the
 * keys of the router, the builders and the arbitraries are derived from this table. Rows, sources and fields that are
 * not in the contract are marked `extension`.
 */
export const triggers = { ...accountTriggers, ...signInTriggers, ...messageTriggers } as const

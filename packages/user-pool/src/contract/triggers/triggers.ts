import { accountTriggers } from './account-triggers.ts'
import { messageTriggers } from './message-triggers.ts'
import { signInTriggers } from './sign-in-triggers.ts'
import type { TriggerRow } from './trigger-row.ts'

type Makers = typeof makers
const makers = { ...accountTriggers, ...signInTriggers, ...messageTriggers }

/**
 * The table of docs/contract/user-pool.md, with a row for each trigger. Codecs, TypeScript types, the normalizer, the
 * keys of the router, the builders and the arbitraries are derived from this table. Rows, sources and fields that are
 * not in the contract are marked `extension`. A row is made when it is first read, because a function needs few of
 * them.
 */
export const triggers = rowsOf(makers) as { readonly [T in keyof Makers]: ReturnType<Makers[T]> }

function rowsOf(all: { readonly [trigger: string]: () => TriggerRow }): object {
  const rows = {}
  for (const [trigger, make] of Object.entries(all)) {
    let row: TriggerRow | undefined
    Object.defineProperty(rows, trigger, {
      get() {
        row ??= make()
        return row
      },
      enumerable: true,
    })
  }
  return rows
}

import { syncBuiltinESMExports } from 'node:module'
import type { UserPoolStore } from '../store/user-pool-store.ts'

/** The work so far, counted in SRP exponentiations, password hashes, and calls of the store. */
const work = { powers: 0, hashes: 0, commits: 0, reads: 0 }

// SRP exponentiation and password hashing each use one Node function. Counting functions replace both in every module.
const crypto = process.getBuiltinModule('node:crypto') as unknown as {
  [name: string]: (...args: never[]) => unknown
}
for (const [name, counter] of [
  ['publicEncrypt', 'powers'],
  ['createHash', 'hashes'],
] as const) {
  const counted = crypto[name]!
  crypto[name] = (...args) => {
    work[counter]++
    return counted(...args)
  }
}
syncBuiltinESMExports()

/** Counts the calls of a store from now on. */
export function countStore(store: UserPoolStore): void {
  const methods = store as unknown as Record<string, (...args: unknown[]) => unknown>
  for (const [name, method] of Object.entries(methods))
    methods[name] = (...args) => {
      if (['change', 'count', 'setMessage', 'removeMessage'].includes(name)) work.commits++
      else work.reads++
      return method(...args)
    }
}

/** Measures the work of a task, even if the task fails. */
export async function workOf(task: () => Promise<unknown>): Promise<typeof work> {
  Object.assign(work, { powers: 0, hashes: 0, commits: 0, reads: 0 })
  await task().catch(() => {})
  return { ...work }
}

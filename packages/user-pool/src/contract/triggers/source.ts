import { nearest } from '@signalbox/codec'
import type { Fields } from '../fields/field.ts'
import { rowTexts } from '../ready.ts'
import type { Source, Trigger } from '../trigger-event.ts'
import { readyRow, readySource } from './ready-source.ts'
import type { TriggerRow } from './trigger-row.ts'
import { triggers } from './triggers.ts'

/** A trigger source with its row in the table. */
export interface KnownSource {
  readonly source: Source
  readonly trigger: Trigger
  readonly row: TriggerRow
  /** The request fields of this source. */
  readonly request: Fields
  /** True when the source is not in the contract. */
  readonly extension: boolean
}

const known = new Map<unknown, KnownSource>()

/** All triggers, in the order of the table. */
export const triggerNames: readonly Trigger[] = /* @__PURE__ */ Object.keys(rowTexts) as Trigger[]

/** All trigger sources, in the order of the table. */
export const sources: readonly Source[] = /* @__PURE__ */ triggerNames.flatMap(sourcesOf)

/**
 * Returns a trigger source with its row of the table, or undefined for any other value.
 * @example
 * ```ts
 * import { knownSource } from '@signalbox/user-pool/contract'
 *
 * knownSource('PreSignUp_SignUp')?.extension // false
 * knownSource('PreSignUp_Unknown') // undefined
 * ```
 */
export function knownSource(source: unknown): KnownSource | undefined {
  return known.get(source) ?? find(source)
}

function find(name: unknown): KnownSource | undefined {
  const ready = readySource(name)
  if (ready === undefined) return undefined
  const { source } = ready
  const { trigger } = ready.row
  const row: TriggerRow = triggers[trigger]
  const own = row.sources[source.slice(trigger.length + 1)]!
  const found: KnownSource = {
    source,
    trigger,
    row,
    request: own.request ? { ...row.request, ...own.request } : row.request,
    extension: row.extension === true || own.extension === true,
  }
  known.set(source, found)
  return found
}

/** Returns whether a key of a route table is a trigger or a trigger source. */
export function isKey(key: string): boolean {
  return Object.hasOwn(rowTexts, key) || readySource(key) !== undefined
}

/**
 * Returns the sources that a key of a route table stands for, or an empty list for an unknown key.
 * @example
 * ```ts
 * import { sourcesOf } from '@signalbox/user-pool/contract'
 *
 * sourcesOf('UserMigration') // ['UserMigration_Authentication', 'UserMigration_ForgotPassword']
 * sourcesOf('PreSignUp_SignUp') // ['PreSignUp_SignUp']
 * ```
 */
export function sourcesOf(key: string): readonly Source[] {
  const exact = readySource(key)
  if (exact) return [exact.source]
  return [...(readyRow(key)?.sources.keys() ?? [])].map(suffix => `${key}_${suffix}` as Source)
}

/**
 * Describes what is expected instead of an unknown trigger source.
 * @example
 * ```ts
 * import { expectedSource } from '@signalbox/user-pool/contract'
 *
 * expectedSource('PreSignup_SignUp') // 'a trigger source; the nearest is PreSignUp_SignUp'
 * ```
 */
export function expectedSource(name: unknown): string {
  const meant =
    process.env.NODE_ENV !== 'production' && typeof name === 'string'
      ? (nearest(name, sources) ?? closest(name))
      : undefined
  return meant === undefined ? 'a trigger source' : `a trigger source; the nearest is ${meant}`
}

// Returns the source that shares the longest prefix with a name. It is used for names that resemble no source.
function closest(name: string): Source {
  let best = sources[0]!
  let most = 0
  for (const source of sources) {
    let same = 0
    while (same < name.length && name[same]!.toLowerCase() === source[same]?.toLowerCase()) same++
    if (same > most) {
      best = source
      most = same
    }
  }
  return best
}

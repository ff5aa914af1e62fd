import type { Problem } from '@signalbox/codec'
import { describe, type Ready, tableProblems } from '@signalbox/codec/ready'
import { codecOf, confidentially, failure, success } from '@signalbox/codec/wire'
import type { Context, Type, ValidationError } from 'io-ts'
import { object, required } from './fields/field.ts'
import { hasCommonFields, requestGuards } from './ready.ts'
import { tableOf } from './shape-table.ts'
import type { WireEvent } from './trigger-event.ts'
import { commonFields, commonFieldsOfSenders } from './triggers/common-fields.ts'
import { requestKey } from './triggers/request-key.ts'
import { expectedSource, type KnownSource, knownSource } from './triggers/source.ts'

const keys = new Map<unknown, string | undefined>()
const tables = new Map<KnownSource, Ready>()

/** Returns whether an event is valid and the normalizer would not change it. */
export function isNormalizedEvent(event: unknown): boolean {
  if (typeof event !== 'object' || event === null) return false
  const { triggerSource, request } = event as { readonly triggerSource?: unknown; readonly request?: unknown }
  const guard = requestGuards[keys.get(triggerSource) ?? keyOf(triggerSource)]
  return guard !== undefined && hasCommonFields(event) && guard(request)
}

// The key of a source is computed when its first event arrives, because a function gets events of few
// sources.
function keyOf(source: unknown): string {
  const known = knownSource(source)
  const key = known ? requestKey(known) : ''
  if (known) keys.set(source, key)
  return key
}

/**
 * Returns the problems of an event that breaks the contract, or null for a valid event. They are exactly the problems
 * that `triggerEventCodec` finds. Never throws.
 */
export function refusedEvent(event: unknown): readonly Problem[] | null {
  const place = (pointer: string, expected: string, actual: string) => [{ pointer, expected, actual }]
  if (typeof event !== 'object' || event === null) return place('', name, describe(event, true))
  let source: unknown
  try {
    source = (event as { triggerSource?: unknown }).triggerSource
  } catch {
    return place('', name, 'something that cannot be checked')
  }
  const known = knownSource(source)
  if (known) return tableProblems(tables.get(known) ?? eventTable(known), event)
  const isMissing = source === undefined && !Object.hasOwn(event, 'triggerSource')
  return place('/triggerSource', expectedSource(source), isMissing ? 'nothing' : describe(source, true))
}

const name = 'user-pool event'

function eventTable(known: KnownSource): Ready {
  const common = known.row.answer === 'not read' ? commonFieldsOfSenders : commonFields
  const table = tableOf({ ...common, request: required(object('request', known.request)) })
  tables.set(known, table)
  return table
}

/**
 * The codec of every user-pool event, for functions. It has the same results as `triggerEventCodec`, but loads no other
 * codec.
 */
export const readyEvent: Type<WireEvent, unknown, unknown> = /* @__PURE__ */ confidentially(
  /* @__PURE__ */ codecOf({
    name,
    is: (u): u is WireEvent => isNormalizedEvent(u) || refusedEvent(u) === null,
    validate(u, context) {
      const refused = refusedEvent(u)
      return refused ? failure(...refused.map(each => errorOf(each, u, context))) : success(u as WireEvent)
    },
  }),
)

/** Turns a problem into an io-ts error. */
function errorOf({ pointer, expected }: Problem, event: unknown, outer: Context): ValidationError {
  const context = [...outer]
  let actual = event
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    actual = (actual as Record<string, unknown>)[key]
    context.push({ key, actual } as never)
  }
  context.push({ ...context.pop()!, type: { name: expected } as never })
  return { value: actual, context }
}

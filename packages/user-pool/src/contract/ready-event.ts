import { type Problem, pointerKeys } from '@signalbox/codec'
import { describe, type Structure, tableProblems } from '@signalbox/codec/ready'
import { codecOf, confidentially, failure, success } from '@signalbox/codec/wire'
import type { Context, Type, ValidationError } from 'io-ts'
import { commonNodes, hasCommonFields } from './ready.ts'
import { readyNodes, tableOf } from './ready-nodes.ts'
import type { WireEvent } from './trigger-event.ts'
import { type ReadySource, readySource } from './triggers/ready-source.ts'
import { expectedSource } from './triggers/source.ts'

const tables = new Map<ReadySource, Structure>()

/** Returns whether an event is valid and the normalizer would not change it. */
export function isNormalizedEvent(event: unknown): boolean {
  if (typeof event !== 'object' || event === null) return false
  const { triggerSource, request } = event as { readonly triggerSource?: unknown; readonly request?: unknown }
  const known = readySource(triggerSource)
  return known !== undefined && hasCommonFields(event) && known.isRequest(request)
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
  const known = readySource(source)
  if (known) return tableProblems(tables.get(known) ?? eventTable(known), event)
  const isMissing = source === undefined && !Object.hasOwn(event, 'triggerSource')
  return place('/triggerSource', expectedSource(source), isMissing ? 'nothing' : describe(source, true))
}

/**
 * Returns the problems of an event whose source the table lacks, or null for a valid event. Never throws.
 * @param isRead whether a route of the trigger reads the request. Otherwise only the common fields are checked
 */
export function refusedNewEvent(
  event: object,
  source: ReadySource,
  isRead: boolean,
): readonly Problem[] | null {
  if (!isRead) return tableProblems(tableOf(commonNode(source)), event)
  return tableProblems(tables.get(source) ?? eventTable(source), event)
}

const name = 'user-pool event'

function eventTable(known: ReadySource): Structure {
  const table = tableOf([...commonNode(known), '!request', known.request])
  tables.set(known, table)
  return table
}

function commonNode({ row }: ReadySource): ['object'] {
  const { ofSenders, ofOthers } = commonNodes
  return readyNodes()[row.answer === 'not read' ? ofSenders : ofOthers] as ['object']
}

let codec: Type<WireEvent, unknown, unknown> | undefined

/**
 * Returns the codec of every user-pool event, for functions. It has the same results as `triggerEventCodec`, but loads
 * no other codec. It is made when it is first needed, because the plugin checks events without it.
 */
export function readyEvent(): Type<WireEvent, unknown, unknown> {
  codec ??= confidentially(
    codecOf({
      name,
      is: (u): u is WireEvent => isNormalizedEvent(u) || refusedEvent(u) === null,
      validate(u, context) {
        const refused = refusedEvent(u)
        return refused ? failure(...refused.map(each => errorOf(each, u, context))) : success(u as WireEvent)
      },
    }),
  )
  return codec
}

/** Turns a problem into an io-ts error. */
function errorOf({ pointer, expected }: Problem, event: unknown, outer: Context): ValidationError {
  const context = [...outer]
  let actual = event
  for (const key of pointerKeys(pointer)) {
    actual = (actual as Record<string, unknown>)[key]
    context.push({ key, actual } as never)
  }
  context.push({ ...context.pop()!, type: { name: expected } as never })
  return { value: actual, context }
}

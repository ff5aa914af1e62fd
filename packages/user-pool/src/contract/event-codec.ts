import { compile, problems } from '@signalbox/codec'
import * as t from 'io-ts'
import { commonFields, commonFieldsOfSenders } from './common-fields.ts'
import { codecOf, object, required } from './field.ts'
import { expectedSource, type KnownSource, knownSource } from './source.ts'
import type { Source, WireEvent } from './trigger-event.ts'

interface Checked {
  readonly codec: t.Mixed
  readonly guard: (u: unknown) => boolean
}

const checks = new Map<unknown, Checked>()

// Made for the first event of a source: a function sees few sources, and starts sooner.
function checkOf(source: unknown): Checked | undefined {
  const made = checks.get(source)
  if (made) return made
  const known = knownSource(source)
  if (known === undefined) return undefined
  const codec = eventCodecOf(known)
  const check = { codec, guard: compile(codec) }
  checks.set(source, check)
  return check
}

function eventCodecOf({ source, row, request }: KnownSource): t.Mixed {
  const common = row.answer === 'not read' ? commonFieldsOfSenders : commonFields
  return codecOf(`${source} event`, { ...common, request: required(object(`${source} request`, request)) })
}

/** The contract of the events of one trigger source, given the source. */
export function eventCodec<S extends Source>(source: S): t.Type<WireEvent<S>, unknown, unknown> {
  return checkOf(source)!.codec
}

/**
 * The contract of every user-pool event (contract A.1, A.2). An event is held against the contract of its own
 * trigger source, so that its problems are about that one alone. Unknown fields are let through.
 */
export const triggerEventCodec: t.Type<WireEvent, unknown, unknown> = new t.Type(
  'user-pool event',
  (u): u is WireEvent => checkOf(sourceIn(u))?.guard(u) ?? false,
  (u, context) => {
    const source = sourceIn(u)
    const check = checkOf(source)
    if (check)
      return check.guard(u) ? t.success(u as WireEvent) : t.failures(errorsOf(check.codec, u, context))
    if (typeof u !== 'object' || u === null) return t.failure(u, context)
    return t.failures([errorAt(u, '/triggerSource', expectedSource(source), context)])
  },
  t.identity,
)

function sourceIn(u: unknown): unknown {
  return typeof u === 'object' && u !== null ? (u as { triggerSource?: unknown }).triggerSource : undefined
}

function errorsOf(codec: t.Mixed, u: unknown, context: t.Context): t.Errors {
  return problems(codec, u).map(({ pointer, expected }) => errorAt(u, pointer, expected, context))
}

/** What is wrong at a place, in the words of io-ts. */
function errorAt(u: unknown, pointer: string, expected: string, context: t.Context): t.ValidationError {
  const type = new t.Type<unknown, unknown, unknown>(expected, t.unknown.is, t.unknown.validate, t.identity)
  const path: t.ContextEntry[] = []
  let actual = u
  for (const escaped of pointer.split('/').slice(1)) {
    const key = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    actual = Object(actual)[key]
    path.push({ key, type, actual })
  }
  return { value: actual, context: [...context, ...path] }
}

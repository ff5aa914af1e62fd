// The guards that functions use. The build of this package replaces this module with their compiled code, so that a
// function compiles nothing when it starts. See docs/decisions/codecs-and-guards.md#guards-written-at-build.
import { prepareExactGuard, prepareGuard } from '@signalbox/codec/ahead'
import * as wire from '@signalbox/codec/wire'
import type { Mixed } from 'io-ts'
import { areFreeClaims, areFreeNames, areFreeTexts } from './conditions.ts'
import { object } from './fields/field.ts'
import type { Fields } from './fields/shape.ts'
import { codecOf, shapeCodec } from './fields/shape-codec.ts'
import { shapeNodes } from './shape-nodes.ts'
import type { Trigger } from './trigger-event.ts'
import { commonFields, commonFieldsOfSenders } from './triggers/common-fields.ts'
import type { RowText, TriggerRow } from './triggers/trigger-row.ts'
import { triggers } from './triggers/triggers.ts'

type Guard = (value: unknown) => boolean

const rows: readonly (readonly [string, TriggerRow])[] = Object.entries(triggers)
const { text, filled, add } = shapeNodes()

/** The rows of the table of triggers, as JSON. */
export const rowTexts = Object.fromEntries(
  rows.map(([trigger, row]) => [trigger, JSON.stringify(rowTextOf(row))]),
) as Readonly<Record<Trigger, string>>

/** The positions of the nodes for the fields of every event besides its request. */
export const commonNodes = { ofSenders: add(commonFieldsOfSenders), ofOthers: add(commonFields) }

/** The nodes of the contract's shapes, as text. */
export const nodesText: string = text()

/** The positions of the nodes of objects that the normalizer adds. */
export const filledNodes: readonly number[] = filled

/** Accepts the common fields of a normalized event. */
export const hasCommonFields: Guard = prepareGuard(codecOf('event', commonFields))

/** The guards for normalized requests, by trigger, and by source if its request differs from the trigger's. */
export const requestGuards: Readonly<Record<string, Guard>> = Object.fromEntries(
  rows.flatMap(([trigger, { request, sources }]) => [
    [trigger, guardOf(request)],
    ...Object.entries(sources).flatMap(([suffix, source]) =>
      source.request ? [[`${trigger}_${suffix}`, guardOf({ ...request, ...source.request })]] : [],
    ),
  ]),
)

// A user is migrated only once, and a challenge waits for a person. Guards for these answers would save little time, and
// make all functions larger.
const rare = ['UserMigration', 'InboundFederation', 'CreateAuthChallenge', 'VerifyAuthChallengeResponse']

const freeConditions: Readonly<Record<string, Guard>> = {
  'claimsToAddOrOverride: text-map': areFreeTexts,
  'claimsToAddOrOverride: claim-map': areFreeClaims,
  'claimsToSuppress: list': areFreeNames,
}

/**
 * The exact guards for answers, by trigger. They accept valid answers without unknown fields. Only triggers whose answers
 * have fields have a guard.
 */
export const exactAnswers: Readonly<Record<string, Guard>> = Object.fromEntries(
  rows
    .filter(([trigger, { response }]) => Object.keys(response).length > 0 && !rare.includes(trigger))
    .map(([trigger, { response }]) => [
      trigger,
      prepareExactGuard(freeAnswer(`${trigger} response`, response)),
    ]),
)

// Returns the codec of an answer that sets only free claims, so that no second loop has to look at their names.
function freeAnswer(name: string, fields: Fields): Mixed {
  const entries = Object.entries(fields).map(([key, field]) => {
    const { shape, required } = field!
    const condition = freeConditions[`${key}: ${shape.kind}`]
    const whole = shape.fields ? freeAnswer(shape.name!, shape.fields) : shapeCodec(shape)
    const codec = condition ? wire.where(wire.anything, condition, key) : whole
    return [key, { codec, required, nullable: true }]
  })
  return wire.object(name, Object.fromEntries(entries))
}

function rowTextOf({ answer, sources, request, response }: TriggerRow): RowText {
  const suffixes = new Map<number, string[]>()
  for (const [suffix, source] of Object.entries(sources)) {
    const position = add({ ...request, ...source.request })
    suffixes.set(position, [...(suffixes.get(position) ?? []), suffix])
  }
  return [answer, add(response), ...[...suffixes].flatMap(([position, equal]) => [position, equal.join(' ')])]
}

function guardOf(request: Fields): Guard {
  return prepareGuard(codecOf('request', normalizedFields(request)))
}

// Returns the fields of a normalized request: maps are required, because the normalizer has added them.
function normalizedFields(fields: Fields): Fields {
  const normalized: Record<string, Fields[string]> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (field === undefined) continue
    const { shape } = field
    const inner = shape.fields ? { ...shape, ...object(name, normalizedFields(shape.fields)) } : shape
    normalized[name] = { ...field, shape: inner, required: field.required || shape.filled === true }
  }
  return normalized
}

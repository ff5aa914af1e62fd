import { compile } from '@signalbox/codec'
import type { Type } from 'io-ts'
import { codecOf } from './field.ts'
import { triggerNames } from './source.ts'
import type { Trigger, TriggerResponse } from './trigger-event.ts'
import { triggers } from './triggers.ts'

const codecs = new Map<Trigger, Type<unknown, unknown, unknown>>()
const guards = new Map<Trigger, (u: unknown) => boolean>()
for (const trigger of triggerNames) {
  const codec = codecOf(`${trigger} response`, triggers[trigger].response)
  codecs.set(trigger, codec as never)
  guards.set(trigger, compile(codec))
}

/** The contract of what a trigger answers (contract, user-pool trigger invocations). Unknown fields are let through. */
export function responseCodec<T extends Trigger>(trigger: T): Type<TriggerResponse<T>, unknown, unknown> {
  return codecs.get(trigger) as never
}

/** The compiled guard of `responseCodec(trigger)`. */
export function responseGuard(trigger: Trigger): (u: unknown) => boolean {
  return guards.get(trigger)!
}

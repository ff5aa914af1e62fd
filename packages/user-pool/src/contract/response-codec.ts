import type { Type } from 'io-ts'
import { codecOf } from './field.ts'
import { triggerNames } from './source.ts'
import type { Trigger, TriggerResponse } from './trigger-event.ts'
import { triggers } from './triggers.ts'

const codecs = new Map<Trigger, Type<unknown, unknown, unknown>>()
for (const trigger of triggerNames) {
  codecs.set(trigger, codecOf(`${trigger} response`, triggers[trigger].response) as never)
}

/** The contract of what a trigger answers (contract, user-pool trigger invocations). Unknown fields are let through. */
export function responseCodec<T extends Trigger>(trigger: T): Type<TriggerResponse<T>, unknown, unknown> {
  return codecs.get(trigger) as never
}

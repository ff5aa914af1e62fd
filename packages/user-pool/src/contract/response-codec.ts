import { confidentially } from '@signalbox/codec/wire'
import type { Type } from 'io-ts'
import { codecOf } from './field.ts'
import type { Trigger, TriggerResponse } from './trigger-event.ts'
import { triggers } from './triggers.ts'

const codecs = new Map<Trigger, Type<unknown, unknown, unknown>>()

/**
 * The contract of what a trigger answers (contract, user-pool trigger invocations). Unknown fields are let
 * through. Problems show no value: any field may hold a secret, whatever its name.
 */
export function responseCodec<T extends Trigger>(trigger: T): Type<TriggerResponse<T>, unknown, unknown> {
  // Made when it is first asked for: a function serves few triggers, and starts sooner.
  const codec =
    codecs.get(trigger) ?? confidentially(codecOf(`${trigger} response`, triggers[trigger].response))
  codecs.set(trigger, codec as never)
  return codec as never
}

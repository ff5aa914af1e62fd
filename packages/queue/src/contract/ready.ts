// The codecs that functions use. The build of this package replaces this module with compiled guards and tables of
// problems, so that a function compiles nothing when it starts. See docs/decisions/codecs-and-guards.md#guards-written-at-build.
import { prepare } from '@signalbox/codec/ahead'
import { QueueEnvelope, QueueEvent } from './event.ts'
import { QueueRecord } from './record.ts'

export const readyEvent = prepare(QueueEvent)
export const readyEnvelope = prepare(QueueEnvelope)
export const readyRecord = prepare(QueueRecord)

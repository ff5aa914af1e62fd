// The codecs that functions use. The build of this package writes their guards and tables of problems in place of this
// module, so that a function makes none of them when it starts. See docs/decisions/guards-when-packages-are-built.md.
import { prepare } from '@signalbox/codec/ahead'
import { QueueEnvelope, QueueEvent } from './event.ts'
import { QueueRecord } from './record.ts'

export const readyEvent = prepare(QueueEvent)
export const readyEnvelope = prepare(QueueEnvelope)
export const readyRecord = prepare(QueueRecord)

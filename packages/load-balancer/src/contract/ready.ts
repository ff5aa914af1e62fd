// The codec that functions use. The build of this package writes its guard and its table of problems in place of this
// module, so that a function makes none of them when it starts. See docs/decisions/guards-when-packages-are-built.md.
import { prepare } from '@signalbox/codec/ahead'
import { LoadBalancerEvent } from './event.ts'

export const readyEvent = prepare(LoadBalancerEvent)

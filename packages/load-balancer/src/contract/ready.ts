// The codec that functions use. The build of this package replaces this module with a compiled guard and a table of
// problems, so that a function compiles nothing when it starts. See docs/decisions/codecs-and-guards.md#guards-written-at-build.
import { prepare } from '@signalbox/codec/ahead'
import { LoadBalancerEvent } from './event.ts'

export const readyEvent = prepare(LoadBalancerEvent)

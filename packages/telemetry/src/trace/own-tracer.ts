import { AsyncLocalStorage } from 'node:async_hooks'
import { fromTraceparent } from './remote-span.ts'
import type { Attributes, Failure, NewSpan, RemoteSpan, Span, Tracer } from './span.ts'

/** A span that has ended. */
export interface EndedSpan extends RemoteSpan, Pick<NewSpan, 'name' | 'kind' | 'attributes' | 'links'> {
  readonly parentId: string | undefined
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly endedAt: number
  readonly failure: Failure | undefined
}

/** The span that is active, of any tracer of ours. */
const active = new AsyncLocalStorage<RemoteSpan>()

/** Returns the active span of a tracer of ours. */
export function ownActiveSpan(): RemoteSpan | undefined {
  return active.getStore()
}

/** The time of spans: `wall()` says when one starts, and differences of `now()` how long it takes. In milliseconds. */
export interface SpanClock {
  readonly wall: () => number
  readonly now: () => number
}

/**
 * Returns a tracer that needs no SDK. A trace is recorded unless the caller's is not.
 * @param take gets each span when it has ended
 */
export function ownTracer(clock: SpanClock, take: (span: EndedSpan) => void): Tracer {
  return {
    start(span) {
      const parent = span.parent ?? active.getStore()
      const own: RemoteSpan = {
        traceId: parent?.traceId ?? randomHex(16),
        spanId: randomHex(8),
        isSampled: parent?.isSampled ?? true,
      }
      const [startedAt, began] = [clock.wall(), clock.now()]
      let { name, attributes } = span
      let isOver = false
      return {
        ...own,
        isRecording: own.isSampled,
        rename(other: string) {
          name = other
        },
        set(more: Attributes) {
          attributes = { ...attributes, ...more }
        },
        end(failure?: Failure) {
          if (isOver) return
          isOver = true
          if (!own.isSampled) return
          const { kind, links } = span
          take({
            ...{ ...own, name, kind, attributes, links, failure, parentId: parent?.spanId, startedAt },
            endedAt: startedAt + clock.now() - began,
          })
        },
        run: work => active.run(own, work),
      } satisfies Span
    },
    remote: header => fromTraceparent(header('traceparent')),
  }
}

/**
 * Records nothing. What a function sends belongs to the span of which it is a part, such as that of the platform.
 */
export function passingTracer(span: RemoteSpan): Tracer {
  const passed: Span = {
    ...span,
    isRecording: false,
    rename() {},
    set() {},
    end() {},
    run: work => active.run(span, work),
  }
  return { start: () => passed, remote: () => undefined }
}

/**
 * Returns an id, which is no secret. Loading the generator for secrets would take most of the time of a start, so it is
 * made as the SDK makes it.
 */
function randomHex(bytes: number): string {
  let text = ''
  while (text.length < 2 * bytes)
    text += Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  // An id of zeros is invalid.
  return /[^0]/.test(text) ? text : randomHex(bytes)
}

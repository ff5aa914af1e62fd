import type { Clock } from '@signalbox/core'
import {
  type Attributes,
  otlpExporter,
  otlpSettings,
  type RemoteSpan,
  type SpanKind,
  samplerOf,
} from '@signalbox/telemetry/otlp'
import { type Random, randomHex } from '../random.ts'
import type { Cause, Sample } from './span.ts'

/** What a span of the platform says. It has names, ids, counts and kinds alone, never a value of a user's. */
interface SpanFacts extends Cause {
  readonly name: string
  readonly kind: SpanKind
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Default: now. */
  readonly endedAt?: number
  readonly attributes?: Attributes | undefined
  /** The value of `error.type` of work that failed. */
  readonly error?: string | undefined
}

/** Records what the platform does, as spans. Sources get it only while spans are sent: see `SourceContext.traces`. */
export interface Traces {
  /** Returns a span that starts now, for work that others belong to. */
  readonly start: (cause: Cause) => RemoteSpan
  /** Records the end of a span that `start` or `invocationSpan` has made. Does nothing when it is not sampled. */
  readonly end: (span: RemoteSpan, facts: SpanFacts) => void
  /** Records work that no other span belongs to, or whose span begins and ends here. Returns its span. */
  readonly record: (facts: SpanFacts) => RemoteSpan
  readonly sample: Sample
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number
  /** Sends what is left. Resolves when it has arrived, or after some seconds. */
  readonly close: () => Promise<void>
}

/** Milliseconds for which the end of the platform waits for its last spans. */
const lastSpans = 3000

const reader = 'The traces of the platform'

/**
 * Returns what records spans, or undefined when no variable names a receiver. The variables are the standard ones of
 * OpenTelemetry: see docs/platform/traces.md#settings.
 * @throws InvalidOptionError for an invalid value
 */
export function openTraces(
  environment: { readonly [name: string]: string | undefined },
  { clock, random, notice }: { clock: Clock; random: Random; notice: (text: string) => void },
): Traces | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: all } = environment
  if (!own?.trim() && !all?.trim()) return undefined
  if (environment.OTEL_TRACES_EXPORTER?.trim() === 'none') return undefined
  const settings = otlpSettings(environment, reader, 'signalbox')
  if (settings === undefined) return undefined
  const sample = samplerOf(environment, reader)
  const take = otlpExporter(settings, timers, '@signalbox/platform', line => notice(`traces: ${line}.`))
  const now = () => clock.wall()
  const end: Traces['end'] = (
    span,
    { name, kind, startedAt, parent, links = [], attributes = {}, error, ...facts },
  ) => {
    if (!span.isSampled) return
    take({
      ...{ ...span, name, kind, links, attributes, parentId: parent?.spanId, startedAt },
      endedAt: Math.max(facts.endedAt ?? now(), startedAt),
      failure: error === undefined ? undefined : { type: error },
    })
  }
  const start: Traces['start'] = ({ parent, traceId = randomHex(random, 16) }) => {
    const id = parent?.traceId ?? traceId
    return { traceId: id, spanId: randomHex(random, 8), isSampled: sample(id, parent) }
  }
  return {
    start,
    end,
    record(facts) {
      const span = start(facts)
      end(span, facts)
      return span
    },
    sample,
    now,
    close: () => take.flush(lastSpans),
  }
}

/** The receiver is a program of its own: its pauses follow the time of the machine, whatever the platform's clock says. */
const timers = {
  now: () => performance.now(),
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, ms).unref()
    return () => clearTimeout(timer)
  },
}

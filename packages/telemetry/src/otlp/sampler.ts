import { InvalidOptionError } from '@signalbox/core/base'
import type { RemoteSpan } from '../trace/span.ts'

/** Decides whether the spans of a trace are sent. `parent` is the span that caused the work. */
export type Sampler = (traceId: string, parent: Pick<RemoteSpan, 'isSampled'> | undefined) => boolean

const samplers = ['always_on', 'always_off', 'traceidratio'] as const

/**
 * Returns the sampler that `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` name. Default: `parentbased_always_on`.
 * @param reader what reads the variables, for errors
 * @throws InvalidOptionError for an unknown sampler, or a ratio that is not between 0 and 1
 */
export function samplerOf(
  environment: { readonly [name: string]: string | undefined },
  reader: string,
): Sampler {
  const name = environment.OTEL_TRACES_SAMPLER?.trim() || 'parentbased_always_on'
  const isParentBased = name.startsWith('parentbased_')
  const own = samplers.find(each => each === name.replace('parentbased_', ''))
  if (own === undefined)
    throw new InvalidOptionError(
      `${reader}: OTEL_TRACES_SAMPLER is ${JSON.stringify(name)}, expected one of ${samplers.join(', ')}, alone or after parentbased_`,
    )
  const root =
    own === 'traceidratio' ? ratio(environment.OTEL_TRACES_SAMPLER_ARG, reader) : () => own === 'always_on'
  return (traceId, parent) => (isParentBased && parent !== undefined ? parent.isSampled : root(traceId))
}

/** Samples a share of all traces. The last digits of their ids are random in every form of ids. */
function ratio(text: string | undefined, reader: string): (traceId: string) => boolean {
  const share = text?.trim() ? Number(text) : 1
  if (!(share >= 0 && share <= 1))
    throw new InvalidOptionError(
      `${reader}: OTEL_TRACES_SAMPLER_ARG is ${JSON.stringify(text)}, expected a number from 0 to 1`,
    )
  return traceId => Number.parseInt(traceId.slice(-13), 16) < share * 2 ** 52
}

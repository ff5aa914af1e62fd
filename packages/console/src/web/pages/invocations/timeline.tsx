import type { InvocationSummary } from '@signalbox/platform-runtime/console'
import { useMemo, useState } from 'preact/hooks'
import { addressOf, go } from '../../address/address.ts'
import { Text } from '../../text/text.tsx'
import { clockTime, durationInWords, spanInWords } from '../../time/words-of-time.ts'
import { tones } from './verdict-badge.tsx'

const width = 1000
const laneHeight = 22
const mostLanes = 8
/** What hurts is drawn last, above the rest. */
const severities = ['ok', 'neutral', 'warning', 'error'] as const

/**
 * The listed invocations over time, with a lane for each function. Keyboard users find the same invocations
 * in the list below it.
 */
export function Timeline({ invocations }: { readonly invocations: readonly InvocationSummary[] }) {
  const [hovered, setHovered] = useState<InvocationSummary | undefined>(undefined)
  const plan = useMemo(() => planOf(invocations), [invocations])
  if (plan === undefined) return null
  const { lanes, from, to, left } = plan
  const span = to - from
  const x = (time: number) => ((time - from) / span) * width
  const nearest = (event: MouseEvent): InvocationSummary | undefined => {
    const box = (event.currentTarget as Element).getBoundingClientRect()
    const lane = lanes[Math.floor(((event.clientY - box.top) / box.height) * lanes.length)]
    const time = from + ((event.clientX - box.left) / box.width) * span
    const distance = ({ started, duration }: InvocationSummary) =>
      Math.max(started - time, time - started - duration, 0)
    return lane?.invocations.reduce<InvocationSummary | undefined>(
      (best, each) => (best === undefined || distance(each) < distance(best) ? each : best),
      undefined,
    )
  }
  return (
    <figure class="timeline">
      <div class="timeline-lanes">
        <div class="timeline-names">
          {lanes.map(({ name }) => (
            <div key={name}>
              <Text of={name} most={60} />
            </div>
          ))}
        </div>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the list has a link for each invocation */}
        <svg
          viewBox={`0 0 ${width} ${lanes.length * laneHeight}`}
          style={{ height: `${lanes.length * laneHeight}px` }}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Timeline of ${invocations.length} invocations in ${lanes.length} ${lanes.length === 1 ? 'lane' : 'lanes'}`}
          onMouseMove={event => setHovered(nearest(event))}
          onMouseLeave={() => setHovered(undefined)}
          onClick={event => {
            const found = nearest(event)
            if (found) go(addressOf(`/invocations/${found.id}`))
          }}
        >
          {lanes.map((lane, index) => (
            <line
              key={lane.name}
              class="plot-grid"
              x1="0"
              x2={width}
              y1={(index + 1) * laneHeight - 0.5}
              y2={(index + 1) * laneHeight - 0.5}
            />
          ))}
          {severities.map(severity => (
            <path
              key={severity}
              class={`bar ${tones[severity]}`}
              d={lanes
                .flatMap((lane, index) =>
                  lane.invocations
                    .filter(each => each.severity === severity)
                    .map(each => {
                      const wide = Math.max((each.duration / span) * width, 4)
                      const start = Math.min(x(each.started), width - wide)
                      return `M${start.toFixed(1)} ${index * laneHeight + 5}h${wide.toFixed(1)}v${laneHeight - 11}h-${wide.toFixed(1)}z`
                    }),
                )
                .join('')}
            />
          ))}
        </svg>
      </div>
      <figcaption>
        {hovered === undefined ? (
          <>
            <span>{clockTime(from)}</span>
            <span>
              {spanInWords(span)}
              {left > 0 && `, ${left} more functions`}
            </span>
            <span>{clockTime(to)}</span>
          </>
        ) : (
          <span class="cut">
            #{hovered.id} <Text of={hovered.summary} most={80} /> {durationInWords(hovered.duration)},{' '}
            {clockTime(hovered.started)}
          </span>
        )}
      </figcaption>
    </figure>
  )
}

function planOf(invocations: readonly InvocationSummary[]) {
  if (invocations.length === 0) return undefined
  const byName = new Map<string, InvocationSummary[]>()
  let from = Number.POSITIVE_INFINITY
  let to = Number.NEGATIVE_INFINITY
  for (const each of invocations) {
    const lane = byName.get(each.functionName)
    if (lane === undefined) byName.set(each.functionName, [each])
    else lane.push(each)
    from = Math.min(from, each.started)
    to = Math.max(to, each.started + each.duration)
  }
  const lanes = [...byName]
    .map(([name, own]) => ({ name, invocations: own }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    lanes: lanes.slice(0, mostLanes),
    left: Math.max(0, lanes.length - mostLanes),
    from,
    to: Math.max(to, from + 1),
  }
}

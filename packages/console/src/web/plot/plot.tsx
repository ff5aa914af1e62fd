import { useId, useState } from 'preact/hooks'
import { clockTime } from '../time/words-of-time.ts'
import { linePath, niceMaximum, type PlotLine } from './plot-paths.ts'

const size = { width: 600, height: 120 }

/** A line plot over time. For screen readers, a button shows the numbers of the plot as a table. */
export function Plot({
  title,
  lines,
  times,
  format,
}: {
  readonly title: string
  readonly lines: readonly PlotLine[]
  /** The time of each value, in milliseconds since the epoch. */
  readonly times: readonly number[]
  readonly format: (value: number) => string
}) {
  const id = useId()
  const [at, setAt] = useState<number | undefined>(undefined)
  const all = lines.flatMap(line => line.values.filter(value => !Number.isNaN(value)))
  const most = niceMaximum(all.reduce((a, b) => Math.max(a, b), 0))
  const shown = at === undefined ? times.length - 1 : at
  const point = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect()
    setAt(
      Math.max(
        0,
        Math.min(times.length - 1, Math.round(((event.clientX - left) / width) * (times.length - 1))),
      ),
    )
  }
  const x = times.length < 2 ? size.width / 2 : (shown / (times.length - 1)) * size.width
  const moment = times[shown]
  return (
    <figure class="plot">
      <figcaption id={id}>
        <strong>{title}</strong>
        {lines.map((line, index) => (
          <span class={`plot-key plot-${index + 1}`} key={line.name}>
            {line.name} <span class="plot-value">{wordFor(line.values[shown] ?? Number.NaN, format)}</span>
          </span>
        ))}
      </figcaption>
      <div class="plot-frame">
        <svg
          viewBox={`0 -4 ${size.width} ${size.height + 8}`}
          preserveAspectRatio="none"
          role="img"
          aria-labelledby={id}
          onPointerMove={point}
          onPointerLeave={() => setAt(undefined)}
        >
          <title>{title}</title>
          {[0, 0.5, 1].map(part => (
            <line
              key={part}
              class="plot-grid"
              x1="0"
              x2={size.width}
              y1={size.height * part}
              y2={size.height * part}
            />
          ))}
          {at !== undefined && <line class="plot-cursor" x1={x} x2={x} y1="0" y2={size.height} />}
          {lines.map((line, index) => (
            <path
              key={line.name}
              class={`plot-line plot-${index + 1}`}
              d={linePath(line.values, most, size)}
            />
          ))}
        </svg>
        <span class="plot-most">{format(most)}</span>
      </div>
      <div class="plot-times">
        <span>{times[0] === undefined ? '' : clockTime(times[0]).slice(0, 8)}</span>
        <span>{at === undefined || moment === undefined ? '' : clockTime(moment).slice(0, 8)}</span>
        <span>{times.length === 0 ? '' : clockTime(times.at(-1) ?? 0).slice(0, 8)}</span>
      </div>
    </figure>
  )
}

function wordFor(value: number, format: (value: number) => string): string {
  return Number.isNaN(value) ? '–' : format(value)
}

/** A line of a plot. A `NaN` value leaves a gap. */
export interface PlotLine {
  readonly name: string
  readonly values: readonly number[]
}

/** The size of a plot in the units of its drawing. */
export interface PlotSize {
  readonly width: number
  readonly height: number
}

/** Returns a round number that is at least `value`, to use as the maximum of an axis. */
export function niceMaximum(value: number): number {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find(step => step * power >= value) ?? 10) * power
}

/** Returns the SVG path of a line through evenly spaced values. */
export function linePath(values: readonly number[], most: number, { width, height }: PlotSize): string {
  let path = ''
  let isDrawing = false
  for (const [index, value] of values.entries()) {
    if (Number.isNaN(value)) {
      isDrawing = false
      continue
    }
    const x = values.length < 2 ? width / 2 : (index / (values.length - 1)) * width
    const y = height - (Math.min(value, most) / most) * height
    path += `${isDrawing ? 'L' : 'M'}${round(x)} ${round(y)}`
    // A single value between gaps becomes a dot.
    if (!isDrawing && Number.isNaN(values[index + 1] ?? Number.NaN)) path += 'h0.01'
    isDrawing = true
  }
  return path
}

function round(number: number): number {
  return Math.round(number * 10) / 10
}

import type { Paint } from './paint.ts'

/** Formats a timestamp as date and time in the local time zone. */
export function dateAndTime(moment: number): string {
  const local = new Date(moment - new Date(moment).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19).replace('T', ' ')
}

/** Formats a number of bytes with its unit. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Truncates a string to at most `most` characters. A truncated string ends with an ellipsis. */
export function truncated(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Formats rows as a table with aligned columns and bold heads. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[], paint: Paint): string {
  const [first = '', ...rest] = columns([heads, ...rows]).split('\n')
  return [paint('bold', first), ...rest].join('\n')
}

/** Formats rows as a table with aligned columns. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, at) => rows.reduce((widest, row) => Math.max(widest, row[at]!.length), 0))
  return rows
    .map(row =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A place in a value: a field of an object or an item of an array; without `holder`, the value as a whole. */
export interface Place {
  readonly up?: Place
  readonly holder?: object
  readonly key?: string | number
  /** What is there, once it has been read. */
  value?: unknown
  unread?: boolean
  /** Neither it nor what is in it is shown. */
  confidential?: boolean
}

export interface Finding {
  readonly place: Place
  readonly expected: string
  /** Said instead of what is there. */
  readonly actual: string | undefined
}

/** What has been found so far. */
export interface Report {
  /** Whether the value is to be decoded; otherwise it is to satisfy `is`. */
  readonly decoding: boolean
  /** The first ones. */
  readonly findings: Finding[]
  /** All of them. */
  count: number
  /** How far the value is from the codec: one wrong choice weighs more than many wrong fields. */
  weight: number
}

/** Findings that a report holds; further ones are only counted. */
const most = 100

export const wrongChoice = 1000

export function newReport(decoding: boolean): Report {
  return { decoding, findings: [], count: 0, weight: 0 }
}

/** Adds what was found to a report, and answers false, which is what a check that finds something answers. */
export function add(report: Report, findings: readonly Finding[], count: number, weight: number): false {
  report.findings.push(...findings.slice(0, most - report.findings.length))
  report.count += count
  report.weight += weight
  return false
}

/** Adds a finding, once. */
export function refuse(report: Report, place: Place, expected: string, weight = 1, actual?: string): false {
  const last = report.findings.at(-1)
  const again = last?.place === place && last.expected === expected
  return !again && add(report, [{ place, expected, actual }], 1, weight)
}

/** A field of an object, an item of an array or, without `holder`, the whole value. */
export interface Place {
  readonly up?: Place
  readonly holder?: object
  readonly key?: string | number
  /** The value at this place, once it has been read. */
  value?: unknown
  unread?: boolean
  /** Whether problems hide this value and everything inside it. */
  confidential?: boolean
}

export interface Finding {
  readonly place: Place
  readonly expected: string
  /**
   * The text that the problem shows instead of the value. If it is undefined, the problem describes the value, and if it
   * is null, it does not.
   */
  readonly actual: string | null | undefined
  readonly isSentence: true | undefined
}

/** The problems that a check has found so far. */
export interface Report {
  /** True if the value must be decodable, and false if it must satisfy `is`. */
  readonly decoding: boolean
  /** The problems found so far, up to the maximum number. */
  readonly findings: Finding[]
  /** The number of all problems, including those that are not listed. */
  count: number
  /** How far the value is from what the codec accepts. A wrong literal weighs more than many wrong fields. */
  weight: number
}

/** The maximum number of problems that a report lists. Further problems are only counted. */
const most = 100

/** The maximum number of checks for one report. Half a million checks take a few tenths of a second. */
export const mostChecks = 500_000

export const wrongChoice = 1000

export function newReport(decoding: boolean): Report {
  return { decoding, findings: [], count: 0, weight: 0 }
}

/** Adds problems to a report, and returns false, the result of a failed check. */
export function add(report: Report, findings: readonly Finding[], count: number, weight: number): false {
  report.findings.push(...findings.slice(0, most - report.findings.length))
  report.count += count
  report.weight += weight
  return false
}

/** Adds a problem, unless the latest problem is the same. */
export function refuse(
  report: Report,
  place: Place,
  expected: string,
  weight = 1,
  actual?: string | null,
  isSentence?: true,
): false {
  const last = report.findings.at(-1)
  const again = last?.place === place && last.expected === expected
  return !again && add(report, [{ place, expected, actual, isSentence }], 1, weight)
}

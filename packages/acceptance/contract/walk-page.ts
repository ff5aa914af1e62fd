import { loadBalancerCases } from './cases/load-balancer.ts'
import { mailFlowCases } from './cases/mail-flow.ts'
import { queueCases } from './cases/queue.ts'
import { userPoolCases } from './cases/user-pool.ts'
import type { ContractCase } from './contract-case.ts'
import { type ContractPage, contractRows } from './contract-rows.ts'
import { type Exceptions, exceptions } from './exceptions.ts'
import type { Side } from './field-cases.ts'

/** The result of running a page's cases. */
export interface PageReport {
  readonly page: ContractPage
  readonly rows: number
  readonly keeping: number
  readonly breaking: number
  /** The rows that no case violates, with the reasons given in `exceptions`. */
  readonly excepted: readonly string[]
  /** The missing cases and the failures, with one sentence for each. */
  readonly failures: readonly string[]
}

const casesOf: { readonly [P in ContractPage]: () => readonly ContractCase[] } = {
  'user-pool': userPoolCases,
  queue: queueCases,
  'mail-flow': mailFlowCases,
  'load-balancer': loadBalancerCases,
}

/** Runs every case of a page, on functions and on the platform. */
export async function walkPage(page: ContractPage): Promise<PageReport> {
  const rows = contractRows(page).map(({ id }) => id)
  const cases = casesOf[page]()
  const failures = gaps(rows, cases, exceptions[page])
  for (const each of cases) {
    for (const side of ['function', 'platform'] as const) {
      const why = await failureOf(each, side)
      if (why !== undefined) failures.push(`${each.row} ${each.kind}: ${each.name} (${side}): ${why}`)
    }
  }
  const count = (kind: ContractCase['kind']) => cases.filter(each => each.kind === kind).length
  return {
    page,
    rows: rows.length,
    keeping: count('keeps'),
    breaking: count('breaks'),
    excepted: Object.entries(exceptions[page]).map(([row, why]) => `${row}: ${why}`),
    failures,
  }
}

/**
 * Returns a sentence for each row that no case obeys or no case violates, for each case without a row, and
 * for each needless exception.
 */
export function gaps(
  rows: readonly string[],
  cases: readonly Pick<ContractCase, 'row' | 'kind'>[],
  excepted: Exceptions,
): string[] {
  const has = (row: string, kind: ContractCase['kind']) =>
    cases.some(each => each.row === row && each.kind === kind)
  const isExcepted = (row: string) => Object.keys(excepted).some(pattern => covers(pattern, row))
  return [
    ...rows.filter(row => !has(row, 'keeps')).map(row => `${row} has no case that keeps it.`),
    ...rows
      .filter(row => !has(row, 'breaks') && !isExcepted(row))
      .map(row => `${row} has no case that breaks it.`),
    ...rows
      .filter(row => has(row, 'breaks') && isExcepted(row))
      .map(row => `${row} has a case that breaks it, and an exception.`),
    ...[...new Set(cases.map(({ row }) => row))]
      .filter(row => !rows.includes(row))
      .map(row => `A case is about ${row}, which the page does not have.`),
    ...Object.keys(excepted)
      .filter(pattern => !rows.some(row => covers(pattern, row)))
      .map(pattern => `An exception is about ${pattern}, which the page does not have.`),
  ]
}

/**
 * Returns whether an exception applies to a row. With `*` at its end, it applies to every row with that prefix.
 */
function covers(pattern: string, row: string): boolean {
  return pattern.endsWith('*') ? row.startsWith(pattern.slice(0, -1)) : row === pattern
}

async function failureOf({ sides }: ContractCase, side: Side): Promise<string | undefined> {
  try {
    await sides[side]()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

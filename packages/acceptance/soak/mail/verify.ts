import type { MailState } from '@signalbox/platform-mail'
import type { Found } from './mailboxes.ts'
import { type Ending, type Plan, planOf, readSubject } from './plan.ts'

/** The state after a soak. */
export interface Remains {
  readonly mailboxes: readonly Found[]
  /** The states of the mails, as the platform reports them. */
  readonly states: readonly MailState[]
  /**
   * The calls that the functions recorded, with one line for each call: the mail, the direction and the invocation.
   */
  readonly invocations: string
}

/** The results of a soak. */
export interface Findings {
  readonly delivered: number
  readonly reports: number
  /** The number of function calls. */
  readonly calls: number
  /** The number of repeated function calls. */
  readonly repeated: number
  /** The violations, with one sentence for each. */
  readonly violations: readonly string[]
}

/**
 * Compares the mailboxes with the sent mails and the decisions. Every acknowledged mail must have ended exactly as
 * decided, once for each recipient, with one report. An unacknowledged mail must either have ended in the same way,
 * or not have been stored at all.
 *
 * @param acknowledged the ids of mails, by their numbers
 * @param sent numbers of all mails that a server may have seen
 */
export function verify(
  { mailboxes, states, invocations }: Remains,
  acknowledged: ReadonlyMap<number, string>,
  sent: readonly number[],
): Findings {
  const violations: string[] = []
  const numberOf = ({ subject }: { readonly subject: string }) => readSubject(subject)?.number
  for (const { address, subject } of mailboxes.filter(each => numberOf(each) === undefined))
    violations.push(`${address} has a mail that was not sent: ${subject}`)

  for (const number of sent) {
    const found = mailboxes.filter(each => numberOf(each) === number)
    const known = states.filter(each => !each.report && numberOf(each) === number)
    if (known.length > 1) violations.push(`mail ${number} is stored ${known.length} times`)
    if (acknowledged.has(number) || known.length > 0)
      violations.push(...problemsOf(planOf(number), found), ...unsettled(number, known))
    else if (found.length > 0)
      violations.push(`mail ${number} is in a mailbox, and the platform does not know it`)
    const id = acknowledged.get(number)
    if (id !== undefined && !known.some(each => each.id === id))
      violations.push(`mail ${number} was acknowledged as ${id}, which is not there`)
  }
  const calls = invocations.split('\n').filter(line => line !== '')
  return {
    delivered: mailboxes.filter(({ failed }) => failed === undefined).length,
    reports: mailboxes.filter(({ failed }) => failed !== undefined).length,
    calls: calls.length,
    repeated: calls.length - new Set(calls).size,
    violations: [...violations, ...wrongCalls(calls, states)],
  }
}

function problemsOf({ number, from, endings }: Plan, found: readonly Found[]): readonly string[] {
  const violations: string[] = []
  const expect = (what: string, times: number, expected: number) => {
    if (times !== expected) violations.push(`mail ${number}: ${what} ${times} times, expected ${expected}`)
  }
  for (const [address, ending] of endings)
    for (const folder of ['inbox', 'junk'] as const) {
      const there = found.filter(each => !each.failed && each.address === address && each.folder === folder)
      expect(`in ${folder} of ${address}`, there.length, ending === folder ? 1 : 0)
    }
  const reports = found.filter(({ failed }) => failed !== undefined)
  const failed = [...endings]
    .filter(([, ending]: [string, Ending]) => ending === 'report')
    .map(([who]) => who)
  expect('reports', reports.length, failed.length === 0 ? 0 : 1)
  for (const report of reports) {
    if (report.address !== from) violations.push(`mail ${number}: ${report.address} has its report`)
    if (report.failed!.join() !== failed.join())
      violations.push(`mail ${number}: its report lists ${report.failed!.join()}, expected ${failed.join()}`)
  }
  const others = found.filter(({ failed, address }) => failed === undefined && !endings.has(address))
  for (const { address } of others)
    violations.push(`mail ${number}: ${address} has it, but is not a recipient`)
  return violations
}

function unsettled(number: number, known: readonly MailState[]): readonly string[] {
  return known.flatMap(({ recipients }) =>
    recipients
      .filter(({ state }) => state === 'undecided' || state === 'delivering' || state === 'failed')
      .map(({ address, state }) => `mail ${number} is ${state} for ${address}`),
  )
}

/**
 * Returns the violations in the recorded calls. Each mail must have one invocation for each direction, with at least
 * one call.
 */
function wrongCalls(calls: readonly string[], states: readonly MailState[]): readonly string[] {
  const ids = new Map<string, Set<string>>()
  for (const call of calls) {
    const [mail, direction, invocation] = call.split(' ')
    const key = `${mail} ${direction}`
    ids.set(key, (ids.get(key) ?? new Set()).add(invocation!))
  }
  const twice = [...ids].filter(([, each]) => each.size > 1).map(([key]) => `${key} had several invocations`)
  const never = states
    .filter(({ report }) => !report)
    .flatMap(({ id, recipients }) => [...new Set(recipients.map(({ direction }) => `${id} ${direction}`))])
    .filter(key => !ids.has(key))
    .map(key => `${key} had no invocation`)
  return [...twice, ...never]
}

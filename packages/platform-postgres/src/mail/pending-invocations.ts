import { carrierOf, type Invocation, type MailStore, type NewRecipient } from '@signalbox/platform-mail/store'
import type { Query } from '../database.ts'
import type { Claims, HasClaim } from './claims.ts'
import { insertMail, type MailRow, mailColumns, mailOf } from './mail-rows.ts'
import { requestDelivery } from './pending-deliveries.ts'
import { storedRecipient } from './recipient-rows.ts'

interface InvocationRow extends MailRow, HasClaim {
  readonly invocation: string
  readonly mail: string
  readonly direction: Invocation['rule']['direction']
  readonly function: string
  readonly mode: Invocation['rule']['mode']
  readonly timeout: number
  readonly fallback: Invocation['rule']['fallback']
  readonly attempts: number
  /** Milliseconds since the first failed attempt, or null. */
  readonly failed_for: number | null
  readonly why: string
  readonly next: Invocation['next']
}

const claimQuery = `
with n as materialized (select time_of($2) as t), due as materialized (
  select i.id from n, invocations i
  where function = $1 and next_at <= n.t and blocked_until <= n.t and mail not in (select mail from held)
    and is_claimable(claimed_by, claim, $4, $5::bigint[])
  order by next_at, sequence limit $3 for update of i skip locked
), claimed as (
  update invocations i set claimed_by = $4, claim = nextval('claims') from due where i.id = due.id returning i.*
)
select ${mailColumns}, c.id as invocation, c.mail, c.direction, c.function, c.mode, c.timeout, c.fallback, c.attempts,
  n.t - c.first_failed_at as failed_for, c.why, c.next, c.claim
from n, claimed c join mails m on m.id = c.mail order by c.next_at, c.sequence`

/**
 * Returns the part of the store that is used to invoke functions with mails.
 * @param at returns the time for a statement, or null to use the database clock
 */
export function pendingInvocations(
  { claimDue, conclude }: Claims,
  at: (now: number) => number | null,
): Pick<MailStore, 'claimInvocations' | 'postponeInvocation' | 'concludeInvocation'> {
  return {
    async claimInvocations(functionName, now, limit) {
      const { rows, recipients, nextAt } = await claimDue<InvocationRow>(
        { query: claimQuery, table: 'invocations', column: 'function', mailOf: ({ mail }) => mail },
        functionName,
        now,
        limit,
      )
      const work = rows.map(row => ({
        ...invocationOf(row, now),
        claim: row.claim,
        of: mailOf(row),
        recipients: recipients.filter(({ invocation }) => invocation === row.invocation).map(storedRecipient),
      }))
      return { work, nextAt }
    },

    postponeInvocation: (invocation, { attempts, firstFailedAt, why, next, nextAt }, now) =>
      conclude(invocation, async (run, claim) => {
        await run(
          `update invocations set attempts = $3, first_failed_at = t + $4, why = $5, next = $6, next_at = t + $7,
             claimed_by = null, claim = null
           from time_of($8) t where id = $1 and claim = $2`,
          [
            ...[invocation.id, claim, attempts, Math.round(firstFailedAt - now)],
            ...[why, next, Math.round(nextAt - now), at(now)],
          ],
        )
      }),

    concludeInvocation: (invocation, attempts, { dispositions, added, report }, now) =>
      conclude(invocation, async (run, claim) => {
        const done = await run(
          `update invocations set attempts = $3, next_at = null, claimed_by = null, claim = null
           where id = $1 and claim = $2 returning 1`,
          [invocation.id, claim, attempts],
        )
        if (done.length === 0) return
        for (const { recipient, state, destination, why } of dispositions) {
          await run('update recipients set state = $2, destination = $3, why = $4 where id = $1', [
            recipient,
            state,
            destination ?? null,
            why,
          ])
          if (destination !== undefined)
            await requestDelivery(run, invocation.mail, carrierOf(destination), at(now))
        }
        for (const each of added) await insertAddedRecipient(run, invocation.mail, each, at(now))
        if (report !== undefined) await insertMail(run, report, at(now))
      }),
  }
}

function invocationOf(row: InvocationRow, now: number): Invocation {
  const { invocation, mail, direction, mode, timeout, fallback, attempts, why, next } = row
  return {
    id: invocation,
    mail,
    rule: { direction, functionName: row.function, mode, timeout, fallback },
    attempts,
    firstFailedAt: row.failed_for === null ? undefined : now - row.failed_for,
    why,
    next,
  }
}

/** Adds a recipient to a mail that does not have this address. Its delivery is due at once. */
async function insertAddedRecipient(
  run: Query,
  mail: string,
  { address, direction, state, destination, why }: NewRecipient,
  given: number | null,
): Promise<void> {
  const inserted = await run(
    `insert into recipients (mail, address, direction, state, destination, why)
     select $1, $2, $3, $4, $5, $6
     where not exists (select 1 from recipients where mail = $1 and address = $2) returning 1`,
    [mail, address, direction, state, destination ?? null, why],
  )
  if (inserted.length > 0 && destination !== undefined)
    await requestDelivery(run, mail, carrierOf(destination), given)
}

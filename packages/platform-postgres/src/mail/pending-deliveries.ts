import { type Carrier, carrierOf, type Delivery, type MailStore } from '@signalbox/platform-mail/store'
import type { Query } from '../database.ts'
import type { Claims, HasClaim } from './claims.ts'
import { insertMail, type MailRow, mailColumns, mailOf } from './mail-rows.ts'
import { type RecipientRow, storedRecipient } from './recipient-rows.ts'

interface DeliveryRow extends MailRow, HasClaim, Pick<Delivery, 'attempts'> {
  /** Milliseconds since the work first became due. */
  readonly age: number
  readonly was_attempted: boolean
}

const claimQuery = `
with n as materialized (select time_of($2) as t), due as materialized (
  select d.mail, d.attempted as was_attempted from n, deliveries d
  where carrier = $1 and next_at <= n.t and blocked_until <= n.t and mail not in (select mail from held)
    and is_claimable(claimed_by, claim, $4, $5::bigint[])
  order by next_at, since limit $3 for update of d skip locked
), claimed as (
  update deliveries d set claimed_by = $4, claim = nextval('claims'), attempted = true
  from due where d.mail = due.mail and d.carrier = $1 returning d.*, due.was_attempted
)
select ${mailColumns}, c.attempts, n.t - c.since as age, c.was_attempted, c.claim
from n, claimed c join mails m on m.id = c.mail order by c.next_at, c.since, m.sequence`

/**
 * Makes a delivery due, and creates it if it does not exist.
 * @param given the time at which the delivery is due, or null to use the database clock
 */
export async function requestDelivery(
  run: Query,
  mail: string,
  carrier: Carrier,
  given: number | null,
): Promise<void> {
  await run(
    `insert into deliveries as d (mail, carrier, since, next_at) select $1, $2, t, t from time_of($3) t
     on conflict (mail, carrier) do update set next_at = least(d.next_at, excluded.next_at)`,
    [mail, carrier, given],
  )
}

/**
 * Returns the part of the store that is used to deliver mails.
 * @param at returns the time for a statement, or null to use the database clock
 */
export function pendingDeliveries(
  { claimDue, conclude }: Claims,
  at: (now: number) => number | null,
): Pick<MailStore, 'claimDeliveries' | 'concludeDelivery'> {
  return {
    async claimDeliveries(carrier, now, limit) {
      const { rows, recipients, nextAt } = await claimDue<DeliveryRow>(
        { query: claimQuery, table: 'deliveries', column: 'carrier', mailOf: ({ id }) => id },
        carrier,
        now,
        limit,
      )
      const work = rows.map(row => ({
        mail: row.id,
        carrier,
        since: now - row.age,
        attempts: row.attempts,
        claim: row.claim,
        of: mailOf(row),
        repeated: row.attempts > 0 || row.was_attempted,
        recipients: recipients.filter(each => isWaiting(each, row.id, carrier)).map(storedRecipient),
      }))
      return { work, nextAt }
    },

    concludeDelivery: (delivery, attempts, { dispositions, report }, nextAt, now) =>
      conclude(delivery, async (run, claim) => {
        const { mail, carrier } = delivery
        const mine = await run(
          'select from deliveries where mail = $1 and carrier = $2 and claim = $3 for update',
          [mail, carrier, claim],
        )
        if (mine.length === 0) return
        for (const { recipient, state, why } of dispositions)
          await run('update recipients set state = $2, why = $3, attempts = attempts + 1 where id = $1', [
            recipient,
            state,
            why,
          ])
        const tried = new Set(dispositions.map(({ recipient }) => recipient))
        const rows = await run<Pick<RecipientRow, 'id' | 'mail' | 'state' | 'destination'>>(
          "select id, mail, state, destination from recipients where mail = $1 and state = 'delivering'",
          [mail],
        )
        const waiting = rows.filter(each => isWaiting(each, mail, carrier))
        if (waiting.length === 0)
          await run('delete from deliveries where mail = $1 and carrier = $2', [mail, carrier])
        else {
          // Recipients whose delivery was requested during the attempt were not part of it, so their delivery is due at
          // once.
          const pause = waiting.every(({ id }) => tried.has(id)) ? Math.round(nextAt - now) : 0
          await run(
            `update deliveries set attempts = $3, next_at = t + $4, attempted = false, claimed_by = null, claim = null
             from time_of($5) t where mail = $1 and carrier = $2`,
            [mail, carrier, attempts, pause, at(now)],
          )
        }
        if (report !== undefined) await insertMail(run, report, at(now))
      }),
  }
}

/** Returns whether a recipient waits for this delivery. */
function isWaiting(
  { mail, state, destination }: Pick<RecipientRow, 'mail' | 'state' | 'destination'>,
  of: string,
  carrier: Carrier,
): boolean {
  return mail === of && state === 'delivering' && carrierOf(destination!) === carrier
}

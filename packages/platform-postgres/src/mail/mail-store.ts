import {
  type Carrier,
  type Claimed,
  carrierOf,
  type Delivery,
  type Invocation,
  type MailState,
  type MailStore,
  type NewMail,
  notOneMail,
  notQueued,
  type PendingDelivery,
  type PendingInvocation,
  type RecipientReport,
  type StoredMail,
  type StoredRecipient,
  wrongState,
} from '@signalbox/platform-mail/store'
import type { Database, Query } from '../database.ts'
import type { Notifications } from '../notifications.ts'
import type { PeriodicWork } from '../periodic-work.ts'

/** The parts of the engine that the store uses. */
export interface MailStoreParts {
  readonly database: Database
  readonly notifications: Notifications
  readonly periodic: PeriodicWork
  /** Identifies this platform. */
  readonly platformId: string
  /** Whether the store uses the times of its caller, as in a test, and not the time of the database. */
  readonly usesGivenTime: boolean
}

/** Milliseconds after which a platform looks for due work, because a notification may be lost. */
const pollInterval = 2000

/** The maximum number of mails, and the approximate maximum number of bytes, that one transaction deletes. */
const deletedAtOnce = { mails: 100, bytes: 4 * 1024 * 1024 }

const mailColumns = 'm.sequence, m.id, m.received_at, m.sender, m.author, m.subject, m.spam, m.report, m.size'

interface MailRow {
  readonly sequence: number
  readonly id: string
  readonly received_at: number
  readonly sender: string
  readonly author: string
  readonly subject: string
  readonly spam: boolean
  readonly report: boolean
  readonly size: number
}

/** A row of work, with the number of this platform's claim. */
interface HasClaim {
  readonly claim: number
}

/** A table of work, and the query that claims its due rows. */
interface Claimable<Row> {
  readonly query: string
  readonly table: 'invocations' | 'deliveries'
  readonly column: 'function' | 'carrier'
  readonly mailOf: (row: Row) => string
}

/**
 * Opens the mail store in PostgreSQL, which several platforms share. Work that a platform has claimed is due again
 * when that platform is gone. A result counts only while its claim is the latest one, so that a platform that was
 * paused for long changes nothing. A time that a caller passes is converted to a duration from the caller's `now`.
 * The database adds this duration to its own time.
 */
export function mailStore(parts: MailStoreParts): MailStore {
  const { database, notifications, periodic, platformId, usesGivenTime } = parts
  const { query } = database
  /** The claims that this platform works on. */
  const held = new Set<number>()
  const at = (now: number) => (usesGivenTime ? Math.floor(now) : null)
  const arrived = () => notifications.notify('mail')
  const claimOf = (work: object) => (work as Partial<HasClaim>).claim ?? 0

  const insert = async (run: Query, mail: NewMail, given: number | null) => {
    const { id, receivedAt, from, author, subject, spam, report, raw, invocations, recipients } = mail
    const carriers = new Set(
      recipients.flatMap(({ destination }) => (destination === undefined ? [] : carrierOf(destination))),
    )
    const rules = invocations.map(({ rule }) => rule)
    await run(insertMail, [
      ...[
        id,
        Math.floor(receivedAt),
        text(from),
        text(author),
        text(subject),
        spam,
        report,
        raw.length,
        asBuffer(raw),
      ],
      given,
      invocations.map(each => each.id),
      rules.map(({ direction }) => direction),
      rules.map(({ functionName }) => functionName),
      rules.map(({ mode }) => mode),
      rules.map(({ timeout }) => timeout),
      rules.map(({ fallback }) => fallback),
      recipients.map(({ address }) => text(address)),
      recipients.map(({ direction }) => direction),
      recipients.map(({ state }) => state),
      recipients.map(({ destination }) => destination ?? null),
      recipients.map(({ why }) => text(why)),
      [...carriers],
    ])
  }

  const request = (run: Query, mail: string, carrier: Carrier, given: number | null) =>
    run(
      `insert into deliveries as d (mail, carrier, since, next_at) select $1, $2, t, t from time_of($3) t
       on conflict (mail, carrier) do update set next_at = least(d.next_at, excluded.next_at)`,
      [mail, carrier, given],
    )

  const recipientsOf = async (mails: readonly string[]) =>
    query<StoredRecipient & { mail: string; direction: string }>(
      'select id, mail, address, direction, state, destination from recipients where mail = any($1) order by id',
      [mails],
    )

  /** Claims the due work of a function or a carrier. Also returns the time at which more work is due. */
  const claimDue = async <Row extends { readonly claim: number }>(
    { query: claimQuery, table, column, mailOf }: Claimable<Row>,
    name: string,
    now: number,
    limit: number,
  ) => {
    const rows = await query<Row>(claimQuery, [name, at(now), limit, platformId, [...held]])
    const recipients = rows.length === 0 ? [] : await recipientsOf(rows.map(mailOf))
    const [next] = await query<{ wait: number | null }>(
      `select min(greatest(next_at, blocked_until)) - t as wait from time_of($2) t, ${table}
       where ${column} = $1 and greatest(next_at, blocked_until) > t and mail not in (select mail from held) group by t`,
      [name, at(now)],
    )
    // The claims are recorded only after all queries, so that this platform can claim the work again when a query
    // fails.
    for (const row of rows) held.add(row.claim)
    return { rows, recipients, nextAt: next?.wait == null ? undefined : next.wait + now }
  }

  /** Forgets a claim, and makes a change that has an effect only while the claim is the latest one. */
  const conclude = async (
    work: object,
    change: (run: Query, claim: number) => Promise<void>,
  ): Promise<void> => {
    const claim = claimOf(work)
    try {
      await database.transaction(run => change(run, claim))
    } finally {
      // If the change failed, the work can be claimed again.
      held.delete(claim)
    }
    arrived()
  }

  const queuedMail = async (run: Query, name: string): Promise<string> => {
    const [found, another] = await run<{ id: string }>(
      'select id from mails where left(id, length($1)) = $1 limit 2',
      [name],
    )
    if (found === undefined || name === '') throw notOneMail(name, 'none')
    if (another !== undefined) throw notOneMail(name, 'several')
    const waits = await run(
      `select from invocations where mail = $1 and next_at is not null
       union all select from deliveries where mail = $1 limit 1`,
      [found.id],
    )
    if (waits.length === 0) throw notQueued(found.id)
    return found.id
  }
  const forEach = async (names: readonly string[], work: (run: Query, id: string) => Promise<void>) => {
    const ids = await database.transaction(async run => {
      const all = new Set<string>()
      for (const name of names) all.add(await queuedMail(run, name))
      for (const id of all) await work(run, id)
      return [...all]
    })
    arrived()
    return ids
  }
  const removeMails = async (run: Query, ids: readonly string[]) => {
    for (const table of ['recipients', 'invocations', 'deliveries', 'held'])
      await run(`delete from ${table} where mail = any($1)`, [ids])
    await run('delete from mails where id = any($1)', [ids])
  }

  return {
    async accept(mail) {
      await insert(query, mail, at(mail.receivedAt))
      arrived()
    },

    async raw(id) {
      const [row] = await query<{ raw: Buffer }>('select raw from mails where id = $1', [id])
      return row?.raw
    },

    async states() {
      const rows = await query<MailRow & { held: boolean; recipients: RecipientReport[] | null }>(statesQuery)
      return rows.map((row): MailState => {
        const { id, receivedAt, from, subject, size, report } = mailOf(row)
        const recipients = (row.recipients ?? []).map(each => ({ ...each, nextAt: each.nextAt ?? undefined }))
        return { id, receivedAt, from, subject, size, report, held: row.held, recipients }
      })
    },

    async awaitedFunctions() {
      const rows = await query<{ function: string }>(
        'select distinct function from invocations where next_at is not null',
      )
      return rows.map(row => row.function)
    },

    async claimInvocations(functionName, now, limit): Promise<Claimed<PendingInvocation>> {
      const { rows, recipients, nextAt } = await claimDue<MailRow & InvocationRow>(
        {
          query: claimInvocationsQuery,
          table: 'invocations',
          column: 'function',
          mailOf: ({ mail }) => mail,
        },
        functionName,
        now,
        limit,
      )
      return {
        work: rows.map(row => ({
          ...invocationOf(row, now),
          claim: row.claim,
          of: mailOf(row),
          recipients: recipients
            .filter(({ mail, direction }) => mail === row.mail && direction === row.direction)
            .map(storedRecipient),
        })),
        nextAt,
      }
    },

    postponeInvocation: (invocation, { attempts, firstFailedAt, why, next, nextAt }, now) =>
      conclude(invocation, async (run, claim) => {
        await run(
          `update invocations set attempts = $3, first_failed_at = t + $4, why = $5, next = $6, next_at = t + $7,
             claimed_by = null, claim = null
           from time_of($8) t where id = $1 and claim = $2`,
          [
            invocation.id,
            claim,
            attempts,
            Math.round(firstFailedAt - now),
            text(why),
            next,
            Math.round(nextAt - now),
            at(now),
          ],
        )
      }),

    concludeInvocation: (invocation, attempts, { dispositions, report }, now) =>
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
            text(why),
          ])
          if (destination !== undefined) await request(run, invocation.mail, carrierOf(destination), at(now))
        }
        if (report !== undefined) await insert(run, report, at(now))
      }),

    async claimDeliveries(carrier, now, limit): Promise<Claimed<PendingDelivery>> {
      const { rows, recipients, nextAt } = await claimDue<MailRow & DeliveryRow>(
        { query: claimDeliveriesQuery, table: 'deliveries', column: 'carrier', mailOf: ({ id }) => id },
        carrier,
        now,
        limit,
      )
      return {
        work: rows.map(row => ({
          mail: row.id,
          carrier,
          since: now - row.age,
          attempts: row.attempts,
          claim: row.claim,
          of: mailOf(row),
          repeated: row.attempts > 0 || row.was_attempted,
          recipients: recipients.filter(each => isWaiting(each, row.id, carrier)).map(storedRecipient),
        })),
        nextAt,
      }
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
            text(why),
          ])
        const tried = new Set(dispositions.map(({ recipient }) => recipient))
        const rows = await run<StoredRecipient & { mail: string }>(
          "select id, mail, state, destination from recipients where mail = $1 and state = 'delivering'",
          [mail],
        )
        const waiting = rows.filter(each => isWaiting(each, mail, carrier))
        if (waiting.length === 0)
          await run('delete from deliveries where mail = $1 and carrier = $2', [mail, carrier])
        // Recipients whose delivery was decided on during the attempt were not part of the attempt, so their delivery
        // is due at once.
        else
          await run(
            `update deliveries set attempts = $3, next_at = t + $4, attempted = false, claimed_by = null, claim = null
             from time_of($5) t where mail = $1 and carrier = $2`,
            [
              mail,
              carrier,
              attempts,
              waiting.every(({ id }) => tried.has(id)) ? Math.round(nextAt - now) : 0,
              at(now),
            ],
          )
        if (report !== undefined) await insert(run, report, at(now))
      }),

    async returnClaim(work, dueAt) {
      const claim = claimOf(work)
      held.delete(claim)
      const table = 'carrier' in work ? 'deliveries' : 'invocations'
      // Outside of tests, the database adds the duration to its own clock, which may differ from the
      // caller's.
      const due = usesGivenTime ? '$2::bigint' : 'time_of(null) + greatest(0, $2::bigint)'
      await query(
        `update ${table} set blocked_until = ${due}, claimed_by = null, claim = null where claim = $1`,
        [claim, Math.ceil(usesGivenTime ? dueAt : dueAt - Date.now())],
      )
      arrived()
    },

    async forget(until) {
      const found = await query<{ id: string; size: number }>(
        `select id, size from mails m where received_at <= $1
           and not exists (select from invocations i where i.mail = m.id and i.next_at is not null)
           and not exists (select from deliveries d where d.mail = m.id)
         order by received_at limit $2`,
        [Math.floor(until), deletedAtOnce.mails],
      )
      let bytes = 0
      const some = found.filter(({ size }, position) => {
        bytes += size
        return position === 0 || bytes <= deletedAtOnce.bytes
      })
      if (some.length > 0)
        await database.transaction(run =>
          removeMails(
            run,
            some.map(({ id }) => id),
          ),
        )
      return some.length < found.length || some.length === deletedAtOnce.mails
    },

    /** Outside of tests, there is no lag: the clock of the database decides, not the clock of a platform. */
    async clockLag(now) {
      if (!usesGivenTime) return 0
      const [row] = await query<{ latest: number | null }>(
        `select max(received_at) as latest from mails where id in
           (select mail from deliveries union all select mail from invocations where next_at is not null)`,
        [],
      )
      return Math.max(0, (row?.latest ?? 0) - now)
    },

    watch(changed) {
      const stopListening = notifications.listen(topic => {
        if (topic === undefined || topic === 'mail') changed()
      })
      const stopPolling = periodic.each('mail', pollInterval, async () => changed())
      return () => {
        stopListening()
        void stopPolling()
      }
    },

    async flush(names, now) {
      const makeDue = 'update deliveries set next_at = least(next_at, t) from time_of($1) t'
      if (names.length > 0)
        return forEach(names, async (run, id) => {
          if ((await run('select from held where mail = $1', [id])).length > 0)
            throw wrongState(id, 'MAIL_HELD')
          const made = await run(`${makeDue} where mail = $2 returning 1`, [at(now), id])
          if (made.length === 0) throw wrongState(id, 'NO_DELIVERY')
        })
      const rows = await query<{ mail: string }>(
        `${makeDue} where mail not in (select mail from held) returning mail`,
        [at(now)],
      )
      arrived()
      return [...new Set(rows.map(({ mail }) => mail))]
    },

    hold: names =>
      forEach(names, async (run, id) => {
        await run('insert into held (mail) values ($1) on conflict do nothing', [id])
      }),

    release: names =>
      forEach(names, async (run, id) => {
        const released = await run('delete from held where mail = $1 returning 1', [id])
        if (released.length === 0) throw wrongState(id, 'MAIL_NOT_HELD')
      }),

    remove: names => forEach(names, (run, id) => removeMails(run, [id])),

    close: () => database.idle(),
  }
}

const insertMail = `
with m as (
  insert into mails (id, received_at, sender, author, subject, spam, report, size, raw)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (id) do nothing returning id
), n as (select m.id, t from m, time_of($10) t
), i as (
  insert into invocations (id, mail, direction, function, mode, timeout, fallback, next_at)
  select x.id, n.id, x.direction, x.function, x.mode, x.timeout, x.fallback, n.t
  from n, unnest($11::text[], $12::text[], $13::text[], $14::text[], $15::float8[], $16::text[])
    with ordinality as x(id, direction, function, mode, timeout, fallback, at) order by x.at
), r as (
  insert into recipients (mail, address, direction, state, destination, why)
  select n.id, x.address, x.direction, x.state, x.destination, x.why
  from n, unnest($17::text[], $18::text[], $19::text[], $20::text[], $21::text[])
    with ordinality as x(address, direction, state, destination, why, at) order by x.at
)
insert into deliveries (mail, carrier, since, next_at)
select n.id, carrier, n.t, n.t from n, unnest($22::text[]) as c(carrier)`

const claimInvocationsQuery = `
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

const claimDeliveriesQuery = `
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

const statesQuery = `
select ${mailColumns}, h.mail is not null as held, (
  select json_agg(json_build_object('address', r.address, 'direction', r.direction, 'state', r.state,
    'why', case when r.state = 'undecided' and i.why <> '' then i.why else r.why end,
    'attempts', case r.state when 'undecided' then i.attempts else r.attempts end,
    'nextAt', case when h.mail is not null then null when r.state = 'undecided' then i.next_at
      when r.state = 'delivering' then d.next_at end) order by r.id)
  from recipients r
  left join invocations i on i.mail = r.mail and i.direction = r.direction
  left join deliveries d on d.mail = r.mail and d.carrier = case r.destination when 'relay' then 'relay' else 'mailbox' end
  where r.mail = m.id) as recipients
from mails m left join held h on h.mail = m.id order by m.received_at desc, m.sequence desc`

interface InvocationRow extends HasClaim {
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

interface DeliveryRow extends HasClaim, Pick<Delivery, 'attempts'> {
  /** Milliseconds since the work first became due. */
  readonly age: number
  readonly was_attempted: boolean
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

function mailOf(row: MailRow): StoredMail {
  const { sequence, id, received_at, sender, author, subject, spam, report, size } = row
  return { sequence, id, receivedAt: received_at, from: sender, author, subject, spam, report, size }
}

function storedRecipient({ id, address, state, destination }: StoredRecipient): StoredRecipient {
  return { id, address, state, destination: destination ?? undefined }
}

/** Returns whether a recipient waits for this delivery. */
function isWaiting(
  { mail, state, destination }: Pick<StoredRecipient, 'state' | 'destination'> & { readonly mail: string },
  of: string,
  carrier: Carrier,
): boolean {
  return mail === of && state === 'delivering' && carrierOf(destination!) === carrier
}

/** Removes NUL from a text, because PostgreSQL cannot store it. */
function text(value: string): string {
  return value.replaceAll('\0', '\ufffd')
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

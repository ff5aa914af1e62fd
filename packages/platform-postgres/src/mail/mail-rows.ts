import {
  type ChangedContent,
  carrierOf,
  deliveryWork,
  factsIn,
  factsText,
  invocationWork,
  type NewMail,
  type StoredMail,
} from '@signalbox/platform-mail/store'
import type { Query } from '../database.ts'

/** The table row of a mail, without the content of the mail. */
export interface MailRow {
  readonly sequence: number
  readonly id: string
  readonly received_at: number
  readonly sender: string
  readonly author: string
  readonly subject: string
  readonly spam: boolean
  readonly report: boolean
  readonly utf8: boolean
  readonly facts: string | null
  readonly size: number
}

/** The columns of a `MailRow`, for queries that call the table `m`. */
export const mailColumns =
  'm.sequence, m.id, m.received_at, m.sender, m.author, m.subject, m.spam, m.report, m.utf8, m.facts, m.size'

/** Converts a table row to a mail. */
export function mailOf(row: MailRow): StoredMail {
  const { sequence, id, received_at, sender, author, subject, spam, report, utf8, facts, size } = row
  return {
    ...{ sequence, id, receivedAt: received_at, from: sender, author, subject, spam, report, utf8, size },
    facts: factsIn(facts),
  }
}

const insert = `
with m as (
  insert into mails (id, received_at, sender, author, subject, spam, report, utf8, size, raw, facts)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $21) on conflict (id) do nothing returning id
), n as (select m.id, t from m, time_of($11) t
), r as (
  insert into recipients (mail, address, direction, state, destination, why, invocation)
  select n.id, x.address, x.direction, x.state, x.destination, x.why, x.invocation
  from n, unnest($12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[])
    with ordinality as x(address, direction, state, destination, why, invocation, at) order by x.at
)
insert into mail_work (queue, key, owner, data, put_at, due_at)
select x.queue, x.key, n.id, x.data, n.t, n.t
from n, unnest($18::text[], $19::text[], $20::text[]) with ordinality as x(queue, key, data, at) order by x.at`

/**
 * Stores a mail with its work, unless a mail with its id exists.
 * @param given the time at which the work is due, or null to use the database clock
 */
export async function insertMail(run: Query, mail: NewMail, given: number | null): Promise<void> {
  const { id, receivedAt, from, author, subject, spam, report, utf8, raw, invocations, recipients } = mail
  const carriers = new Set(
    recipients.flatMap(({ destination }) => (destination === undefined ? [] : carrierOf(destination))),
  )
  const work = [
    ...invocations.map(each => invocationWork(id, each.id, each.rule)),
    ...[...carriers].map(carrier => deliveryWork(id, carrier)),
  ]
  await run(insert, [
    ...[id, Math.floor(receivedAt), from, author, subject, spam, report, utf8],
    ...[raw.length, asBuffer(raw), given],
    recipients.map(({ address }) => address),
    recipients.map(({ direction }) => direction),
    recipients.map(({ state }) => state),
    recipients.map(({ destination }) => destination ?? null),
    recipients.map(({ why }) => why),
    recipients.map(({ invocation }) => invocation ?? null),
    work.map(({ queue }) => queue),
    work.map(({ key }) => key),
    work.map(({ data }) => data),
    factsText(mail.facts),
  ])
}

/**
 * Changes the content of a mail for the recipients of an invocation. If the mail has other recipients, these recipients
 * move to a mail of their own. Returns the id of the mail that they have then.
 */
export async function changeContent(
  run: Query,
  mail: string,
  invocation: string,
  { splitId, author, subject, spam, raw }: ChangedContent,
): Promise<string> {
  const content = [author, subject, spam, raw.length, asBuffer(raw)]
  // The lock makes invocations of one mail take turns, so that only the last one finds no other recipients.
  await run('select from mails where id = $1 for update', [mail])
  const others = await run(
    'select from recipients where mail = $1 and invocation is distinct from $2 limit 1',
    [mail, invocation],
  )
  if (others.length === 0) {
    await run('update mails set author = $2, subject = $3, spam = $4, size = $5, raw = $6 where id = $1', [
      mail,
      ...content,
    ])
    return mail
  }
  await run(
    `insert into mails (id, received_at, sender, author, subject, spam, report, utf8, facts, size, raw)
     select $2::text, received_at, sender, $3::text, $4::text, $5::boolean, report, utf8, facts, $6::integer, $7::bytea
     from mails where id = $1`,
    [mail, splitId, ...content],
  )
  await run('insert into held (mail) select $2 from held where mail = $1', [mail, splitId])
  await run('update recipients set mail = $3 where mail = $1 and invocation = $2', [
    mail,
    invocation,
    splitId,
  ])
  return splitId
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

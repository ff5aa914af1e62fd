import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Order } from './order.ts'
import { connections, drained, type QueueContender } from './queue-contender.ts'

const table = `create table messages (
  id bigint generated always as identity primary key,
  visible_at timestamptz not null,
  receipt uuid,
  receives integer not null default 0,
  body text not null
);
alter table messages set (fillfactor = 70);
create index by_visibility on messages (visible_at, id);`

const insert = {
  name: 'insert',
  text: 'insert into messages (visible_at, body) select now(), body from unnest($1::text[]) as body',
}

// The batch size is part of the SQL text. As a parameter, it would make the server plan the statement again for each
// call.
const claim = (batchSize: number) => ({
  name: `claim ${batchSize}`,
  text: `with next as materialized (
    select id from messages where visible_at <= now() order by visible_at, id limit ${batchSize} for update skip locked
  )
  update messages m set visible_at = now() + interval '30 seconds', receipt = $1, receives = receives + 1
  from next where m.id = next.id returning m.id, m.body`,
})

const remove = {
  name: 'remove',
  text: 'delete from messages where id = any($1::bigint[]) and receipt = $2',
}

/** The minimum work of a queue with leases: one statement each to add, claim and delete messages. */
export const byHand: QueueContender = {
  name: 'the statements by hand',
  role: 'limit',
  async open(url) {
    const pool = new pg.Pool({ connectionString: url, max: connections, options: '-c search_path=by_hand' })
    await pool.query('create schema by_hand')
    await pool.query(table)
    return {
      async send(orders) {
        await pool.query({ ...insert, values: [orders.map(order => JSON.stringify(order))] })
      },
      drain: (count, batchSize) =>
        drained(count, async () => {
          const receipt = randomUUID()
          const { rows } = await pool.query<{ id: string; body: string }>({
            ...claim(batchSize),
            values: [receipt],
          })
          if (rows.length > 0) await pool.query({ ...remove, values: [rows.map(({ id }) => id), receipt] })
          return rows.map(({ body }) => JSON.parse(body) as Order)
        }),
      close: () => pool.end(),
    }
  },
}

import type { Role } from '../harness/work.ts'
import type { Order } from './order.ts'

/** A way to keep a queue in PostgreSQL. All contenders use the same server and the same number of connections. */
export interface QueueContender {
  readonly name: string
  readonly role: Role
  readonly open: (url: string) => Promise<OpenQueue>
}

export interface OpenQueue {
  /** Adds orders with one call. Resolves when they are on the disk. */
  readonly send: (orders: readonly Order[]) => Promise<void>
  /**
   * Takes and completes all `count` orders, up to `batchSize` with one call. Resolves when the completion is on the
   * disk.
   */
  readonly drain: (count: number, batchSize: number) => Promise<readonly Order[]>
  readonly close: () => Promise<void>
}

/** The number of connections of a contender, and of senders and receivers that work at the same time. */
export const connections = 4

/** Runs work on all connections at the same time. */
export async function onAllConnections(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: connections }, work))
}

/**
 * Takes batches on all connections until it has `count` orders.
 * @param pass takes and completes one batch, and returns its orders
 */
export async function drained(
  count: number,
  pass: () => Promise<readonly Order[]>,
): Promise<readonly Order[]> {
  const orders: Order[] = []
  await onAllConnections(async () => {
    while (orders.length < count) orders.push(...(await pass()))
  })
  return orders
}

import { createHash } from 'node:crypto'
import type { RecordKind, Transfer, TransferRecord, TransferValue } from './transfer.ts'

/** The number and the digest of records. Equal records have equal fingerprints. */
interface Fingerprint {
  readonly count: number
  readonly digest: string
}

interface CopyOptions {
  /** Stops the copy after the records that are being copied. The next copy continues after them. */
  readonly signal: AbortSignal
  /** Called with the number of records of one kind that have been copied so far, or compared on one side. */
  readonly show: (work: 'copied' | 'compared', count: number) => void
}

/** The records that an earlier copy has stored: their number, and the key of the last one. */
export interface Begun {
  readonly count: number
  readonly last: readonly TransferValue[] | undefined
}

/** The result of copying the records of one kind. */
type CopyResult = { readonly state: 'stopped' } | ({ readonly state: 'copied' } & Fingerprint)

const usualBatch = 500

/**
 * Checks that the records of one kind in the target are the first records of the source, and returns their number and
 * last key. Returns undefined when the signal is aborted.
 * @throws Error when the target has records that differ from the first records of the source
 */
export async function begunCopy(
  kind: RecordKind,
  from: Transfer,
  to: Transfer,
  options: CopyOptions,
): Promise<Begun | undefined> {
  const there = await fingerprint(to, kind, options)
  if (there === undefined || there.count === 0) return there
  const same = await fingerprint(from, kind, options, there.count)
  if (same !== undefined && (same.count !== there.count || same.digest !== there.digest))
    throw new Error(
      `The target has other ${kind.name} than the source. Copy into an empty target, or into one that an earlier copy of this source has begun.`,
    )
  return same && there
}

/**
 * Copies the records of one kind, and compares both sides.
 * @param begun the records that the target already has. The copy continues after them.
 * @throws Error when the sides differ after the copy
 */
export async function copyRecords(
  kind: RecordKind,
  from: Transfer,
  to: Transfer,
  begun: Begun,
  options: CopyOptions,
): Promise<CopyResult> {
  const { signal, show } = options
  let { count, last } = begun
  for (;;) {
    show('copied', count)
    if (signal.aborted) return { state: 'stopped' }
    const records = await from.read(kind, last, kind.atOnce ?? usualBatch)
    if (records.length === 0) break
    await to.write(kind, records)
    count += records.length
    last = keyOf(kind, records.at(-1)!)
  }
  const source = await fingerprint(from, kind, options)
  const target = await fingerprint(to, kind, options)
  if (source === undefined || target === undefined) return { state: 'stopped' }
  if (source.count !== target.count || source.digest !== target.digest)
    throw new Error(
      `The ${kind.name} differ after the copy: the source has ${source.count}, the target ${target.count}. Did a platform use one of them?`,
    )
  return { state: 'copied', count: source.count, digest: source.digest }
}

/**
 * Reads records, and computes their number and their digest. Returns undefined when the signal is aborted.
 * @param most the maximum number of records, counted from the first
 */
async function fingerprint(
  transfer: Transfer,
  kind: RecordKind,
  { signal, show }: CopyOptions,
  most = Number.POSITIVE_INFINITY,
): Promise<(Fingerprint & Begun) | undefined> {
  const hash = createHash('sha256')
  const fields = [...kind.key, ...kind.fields]
  let count = 0
  let last: readonly TransferValue[] | undefined
  while (count < most) {
    const records = await transfer.read(kind, last, Math.min(kind.atOnce ?? usualBatch, most - count))
    if (records.length === 0) break
    for (const record of records) {
      hash.update(JSON.stringify(fields.map(field => comparable(record[field]))))
      hash.update('\n')
    }
    count += records.length
    last = keyOf(kind, records.at(-1)!)
    show('compared', count)
    if (signal.aborted) return undefined
  }
  return { count, digest: hash.digest('hex'), last }
}

const keyOf = (kind: RecordKind, record: TransferRecord) => kind.key.map(field => record[field]!)

function comparable(value: TransferValue | undefined): unknown {
  if (value instanceof Uint8Array) return createHash('sha256').update(value).digest('hex')
  return value ?? null
}

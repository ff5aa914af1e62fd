import type { DataDirectory } from '../../storage/data-directory.ts'
import type { InvocationLogEntry } from '../entry.ts'
import type { InvocationEntries } from '../invocation-transfer.ts'
import { blockTable, type NumberedBlock } from './block-table.ts'
import { blockWriter } from './block-writer.ts'
import { invocationLogDatabase } from './local-invocation-log.ts'
import { packedBlock } from './packed-block.ts'

/**
 * Opens the entries of the log in a data directory in order to copy them. No platform may use the directory meanwhile.
 * @param notice is called with a sentence about damaged entries, which are left out
 */
export function localInvocationEntries(
  directory: Pick<DataDirectory, 'open'>,
  notice: (text: string) => void,
): InvocationEntries {
  const database = directory.open(invocationLogDatabase)
  const table = blockTable(database, notice)
  return {
    read: async (after, limit) => table.following(after, limit),
    write: async entries => table.insertAll(blocksOf(entries)),
    close: async () => database.close(),
  }
}

/**
 * The maximum number of milliseconds between the starts of the entries in a block. The index of a block cannot hold
 * larger differences, and old entries would be deleted too late if a block also contained much newer ones.
 */
const longestBlock = 24 * 3_600_000

/** Packs entries into blocks. The ids of the entries in a block have no gaps. */
function blocksOf(entries: readonly InvocationLogEntry[]): readonly NumberedBlock[] {
  const blocks: NumberedBlock[] = []
  const writer = blockWriter()
  let [first, next, started] = [0, 0, 0]
  const end = () => {
    if (writer.empty) return
    // The entries are masked already.
    blocks.push({ first, block: packedBlock({ ...writer.take(), suspicious: false, unsearched: '' }) })
  }
  for (const { id, ...entry } of entries) {
    if (writer.full || id !== next || Math.abs(entry.started - started) > longestBlock) end()
    if (writer.empty) [first, started] = [id, entry.started]
    writer.add(entry)
    next = id + 1
  }
  end()
  return blocks
}

import { mark } from '../../masking/findings.ts'
import { mayHoldSecret } from '../../masking/mask.ts'
import { maskedEntry } from '../masked-entry.ts'
import { entriesIn, pack, type UnnumberedEntry } from './block.ts'
import { blockWriter, type Gathered } from './block-writer.ts'
import { type Grams, gramsOf } from './grams.ts'

/** Several entries that are stored together. */
export interface Block extends Omit<Gathered, 'text'> {
  readonly packed: Uint8Array
  /** The n-grams of the block's text, for searches. */
  readonly grams: Grams
}

/** Entries that are not masked yet. */
export interface RawBlock extends Gathered {
  /** Whether the block may contain a secret. */
  readonly suspicious: boolean
  /**
   * The strings that have to be searched for secrets even if the block is not suspicious. They are joined, so that one
   * search is enough.
   */
  readonly unsearched: string
}

/** Masks and packs a block. Most of the log's processor time is spent here. */
export function packedBlock(raw: RawBlock): Block {
  const { text, ...about } = raw.suspicious || mayHoldSecret(raw.unsearched) ? masked(raw) : raw
  const { count, size, newest, functions, segment } = about
  // The copy omits the unused rest of the buffer.
  const packed = new Uint8Array(pack(text))
  return { packed, grams: gramsOf(text), count, size, newest, functions, segment }
}

function masked({ text }: RawBlock): Gathered {
  const writer = blockWriter()
  for (const { entry } of entriesIn(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString()))
    writer.add(maskedOrHidden(entry))
  return writer.take()
}

/** Masks an entry. If the entry cannot be masked, hides its content, so that the rest of the block can be stored. */
function maskedOrHidden(entry: UnnumberedEntry): UnnumberedEntry {
  try {
    return maskedEntry(entry)
  } catch {
    const { failure, verdict } = entry
    return {
      ...entry,
      event: JSON.stringify(mark),
      payload: mark,
      failure: failure && { ...failure, message: mark },
      verdict: verdict && { ...verdict, text: mark },
      logs: [],
      masked: true,
    }
  }
}

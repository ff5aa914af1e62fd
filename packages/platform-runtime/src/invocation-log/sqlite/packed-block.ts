import { mark } from '../masking/findings.ts'
import { maskedEntry } from '../masking/masked-entry.ts'
import { entriesIn, pack, type Unnumbered } from './block.ts'
import { blockWriter, type Gathered } from './block-writer.ts'

/** Entries in one piece, as they are stored. */
export interface Block extends Omit<Gathered, 'text'> {
  readonly packed: Uint8Array
}

/** What was gathered of entries as they were. */
export interface RawBlock extends Gathered {
  /** Whether something in it may be a secret. */
  readonly suspicious: boolean
}

/** A block as it is stored: without secrets, and packed. This is where the invocation log's time goes. */
export function packedBlock(raw: RawBlock): Block {
  const { text, ...about } = raw.suspicious ? masked(raw) : raw
  const { count, size, newest, functions } = about
  // Without the rest of a buffer that was made for more.
  return { packed: new Uint8Array(pack(text)), count, size, newest, functions }
}

function masked({ text }: RawBlock): Gathered {
  const writer = blockWriter()
  for (const { entry } of entriesIn(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString()))
    writer.add(maskedOrHidden(entry))
  return writer.take()
}

/** Whatever goes wrong with one entry must not cost the others of its block. */
function maskedOrHidden(entry: Unnumbered): Unnumbered {
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

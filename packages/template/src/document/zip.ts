import { inflateRawSync } from 'node:zlib'

/** A file in an archive. */
export interface ArchivedFile {
  /** Its path, with slashes. */
  readonly path: string
  readonly content: Uint8Array
  readonly isExecutable: boolean
}

/** The greatest size of all files of an archive together in bytes, which is that of the service. */
const mostBytes = 250 * 1024 * 1024

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const endLength = 22

/**
 * Returns the files of a zip archive.
 * @throws RangeError for a file that is no such archive, that is too large, or that would be written elsewhere
 */
export function filesIn(archive: Buffer): readonly ArchivedFile[] {
  let end = archive.length - endLength
  while (end >= 0 && archive.readUInt32LE(end) !== endSignature) end--
  if (end < 0) throw new RangeError('It is not a zip archive.')
  const found: ArchivedFile[] = []
  let left = mostBytes
  let at = archive.readUInt32LE(end + 16)
  for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
    if (archive.readUInt32LE(at) !== entrySignature) throw new RangeError('It is not a zip archive.')
    const method = archive.readUInt16LE(at + 10)
    const compressed = archive.readUInt32LE(at + 20)
    const size = archive.readUInt32LE(at + 24)
    const nameLength = archive.readUInt16LE(at + 28)
    const path = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const mode = archive.readUInt32LE(at + 38) >>> 16
    const local = archive.readUInt32LE(at + 42)
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
    if (path.endsWith('/')) continue
    if (path.startsWith('/') || /(?:^|[\\/])\.\.(?:[\\/]|$)|^[A-Za-z]:|\0/.test(path))
      throw new RangeError('It has a file outside of its folder.')
    if (size > left) throw new RangeError(`Its files have more than ${mostBytes} bytes.`)
    left -= size
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const data = archive.subarray(start, start + compressed)
    found.push({ path, content: contentOf(data, method, size), isExecutable: (mode & 0o111) !== 0 })
  }
  return found
}

function contentOf(data: Buffer, method: number, size: number): Uint8Array {
  if (method === 0) return data
  if (method !== 8) throw new RangeError('It has a file that is compressed in an unknown way.')
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(size, 1) })
  } catch {
    throw new RangeError('It has a file that is damaged.')
  }
}

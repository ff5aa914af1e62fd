import { readHuffman } from './huffman.ts'

/** Reads the compressed header blocks of one direction of a connection. */
export interface FieldReader {
  /** Reads the next block. Returns whether all of its fields are well-formed (RFC 9113, 8.2.1). */
  readonly read: (block: Buffer) => boolean
}

/** What has to be known about a name or a value. */
interface Text {
  readonly length: number
  readonly isValid: boolean
}

interface Entry {
  readonly name: Text
  readonly isValid: boolean
  readonly size: number
}

/** The names of the static table (RFC 7541, appendix A). */
const staticNames =
  ':authority :method :method :path :path :scheme :scheme :status :status :status :status :status :status :status accept-charset accept-encoding accept-language accept-ranges accept access-control-allow-origin age allow authorization cache-control content-disposition content-encoding content-language content-length content-location content-range content-type cookie date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified link location max-forwards proxy-authenticate proxy-authorization range referer refresh retry-after server set-cookie strict-transport-security transfer-encoding user-agent vary via www-authenticate'
    .split(' ')
    .map((name): Text => ({ length: name.length, isValid: true }))

/** The maximum size of the dynamic table, which is the default of HTTP/2. */
const tableLimit = 4096

/** The number of bytes that each entry adds to the size of its name and value. */
const bytesOfEntry = 32

/**
 * Finds malformed fields in compressed header blocks. Node drops such a field and serves the rest of the request. This
 * reader keeps of the dynamic table (RFC 7541, 2.3.2) only what that needs: the sizes, and what is valid. It never
 * throws: for a block that breaks the compression, Node ends the connection.
 */
export function fieldReader(): FieldReader {
  /** The entries of the dynamic table, the latest one last. */
  let entries: Entry[] = []
  let size = 0
  let limit = tableLimit

  const shrink = (): void => {
    let evicted = 0
    while (size > limit) size -= entries[evicted++]!.size
    if (evicted > 0) entries = entries.slice(evicted)
  }
  const entryAt = (index: number): Entry | undefined => entries[entries.length + staticNames.length - index]

  return {
    read(block) {
      let at = 0
      let isValid = true

      /** Reads an integer whose first byte has a prefix of this number of bits (RFC 7541, 5.1). */
      const integer = (bits: number): number => {
        const most = (1 << bits) - 1
        let value = block[at++]! & most
        if (value < most) return value
        for (let factor = 1; at < block.length && factor < 2 ** 32; factor *= 128) {
          const byte = block[at++]!
          value += (byte & 127) * factor
          if (byte < 128) break
        }
        return value
      }
      const text = (isName: boolean): Text => {
        const isCoded = (block[at] ?? 0) >= 128
        const length = integer(7)
        const start = at
        at = Math.min(block.length, start + length)
        const check = isName ? nameCheck() : valueCheck()
        if (isCoded) readHuffman(block, start, at, check.take)
        else for (let each = start; each < at; each++) check.take(block[each]!)
        return check.end()
      }

      while (at < block.length) {
        const byte = block[at]!
        if (byte >= 0x80) {
          isValid &&= entryAt(integer(7))?.isValid ?? true
        } else if (byte >= 0x20 && byte < 0x40) {
          limit = Math.min(tableLimit, integer(5))
          shrink()
        } else {
          const isKept = byte >= 0x40
          const index = integer(isKept ? 6 : 4)
          const name = index === 0 ? text(true) : (staticNames[index - 1] ?? entryAt(index)?.name ?? unknown)
          const value = text(false)
          const own = {
            name,
            isValid: name.isValid && value.isValid,
            size: name.length + value.length + bytesOfEntry,
          }
          isValid &&= own.isValid
          if (!isKept) continue
          entries.push(own)
          size += own.size
          shrink()
        }
      }
      return isValid
    },
  }
}

const unknown: Text = { length: 0, isValid: true }

/** The characters of a name: those of a token (RFC 9110, 5.6.2) without capital letters, and a colon at the start. */
function nameCheck() {
  let length = 0
  let isValid = true
  return {
    take(character: number) {
      isValid &&= isNameCharacter[character] === true || (character === colon && length === 0)
      length++
    },
    end: (): Text => ({ length, isValid: isValid && length > 0 }),
  }
}

/** The characters of a value: no control characters, and no blank at the start or the end. */
function valueCheck() {
  let length = 0
  let isValid = true
  let last = 0
  return {
    take(character: number) {
      if (length === 0 && isBlank(character)) isValid = false
      if ((character < 0x20 && character !== tab) || character === 0x7f) isValid = false
      last = character
      length++
    },
    end: (): Text => ({ length, isValid: isValid && !isBlank(last) }),
  }
}

const [tab, blank, colon] = [9, 32, 58]

const isNameCharacter = Array.from({ length: 257 }, (_, character) =>
  /^[!#$%&'*+.^_`|~\da-z-]$/.test(String.fromCharCode(character)),
)

function isBlank(character: number): boolean {
  return character === blank || character === tab
}

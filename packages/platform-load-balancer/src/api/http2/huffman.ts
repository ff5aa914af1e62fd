/** Reads the characters of a text in the Huffman code of HPACK, one after another. */
type TakeCharacter = (character: number) => void

/**
 * The characters by the length of their code in bits, from 5 to 30 (RFC 7541, appendix B). The code is canonical: codes
 * of one length are consecutive, and the first code of a length follows the last code of the shorter length. So the
 * lengths determine all codes. 256 is the end of the text.
 */
const charactersByLength: readonly (readonly (number | string)[])[] = [
  ['012aceiost'],
  [' %-./3456789=A_bdfghlmnpru'],
  [':BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz'],
  ['&*,;XZ'],
  [],
  ['!"()?'],
  ["'+|"],
  ['#>'],
  [0, '$@[]~'],
  ['^}'],
  ['<`{'],
  [],
  [],
  [],
  ['\\', 195, 208],
  [128, 130, 131, 162, 184, 194, 224, 226],
  [153, 161, 167, 172, 176, 177, 179, 209, 216, 217, 227, 229, 230],
  [
    129, 132, 133, 134, 136, 146, 154, 156, 160, 163, 164, 169, 170, 173, 178, 181, 185, 186, 187, 189, 190,
    196,
  ].concat([198, 228, 232, 233]),
  [
    1, 135, 137, 138, 139, 140, 141, 143, 147, 149, 150, 151, 152, 155, 157, 158, 165, 166, 168, 174, 175,
    180, 182,
  ].concat([183, 188, 191, 197, 231, 239]),
  [9, 142, 144, 145, 148, 159, 171, 206, 215, 225, 236, 237],
  [199, 207, 234, 235],
  [192, 193, 200, 201, 202, 205, 210, 213, 218, 219, 238, 240, 242, 243, 255],
  [203, 204, 211, 212, 214, 221, 222, 223, 241, 244, 245, 246, 247, 248, 250, 251, 252, 253, 254],
  [
    2, 3, 4, 5, 6, 7, 8, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 23, 24, 25, 26, 27, 28, 29, 30, 31, 127, 220,
    249,
  ],
  [],
  [10, 13, 22, 256],
]

const shortest = 5

interface Codes {
  /** The first code of this length. */
  readonly first: number
  readonly characters: readonly number[]
}

const codes: readonly Codes[] = codesByLength()

function codesByLength(): readonly Codes[] {
  let first = 0
  return charactersByLength.map(each => {
    const characters = each.flatMap(part =>
      typeof part === 'string' ? [...part].map(character => character.charCodeAt(0)) : [part],
    )
    const own = { first, characters }
    first = (first + characters.length) * 2
    return own
  })
}

/** Decodes a text. What is not a code, such as the padding at the end, is ignored. */
export function readHuffman(bytes: Buffer, start: number, end: number, take: TakeCharacter): void {
  let code = 0
  let length = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    for (let bit = 7; bit >= 0; bit--) {
      code = (code << 1) | ((byte >> bit) & 1)
      length++
      const own = codes[length - shortest]
      const character = own?.characters[code - own.first]
      if (character === undefined) continue
      take(character)
      code = 0
      length = 0
    }
  }
}

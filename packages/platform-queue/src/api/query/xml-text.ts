// biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot have them
const special = /[&<>"\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]/u

const replacement = Buffer.from('\ufffd')

/** The replacement for each byte of UTF-8. Undefined for bytes that stay unchanged. */
const escapes: readonly (Buffer | undefined)[] = Array.from({ length: 256 }, (_, byte) => {
  const named = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#xD;' }[
    String.fromCharCode(byte)
  ]
  if (named !== undefined) return Buffer.from(named)
  return byte < 0x20 && byte !== 0x09 && byte !== 0x0a ? replacement : undefined
})

const longestEscape = 6

/**
 * Escapes a string for an XML element. Carriage returns are escaped, because parsers turn them into line feeds.
 * Characters that XML 1.0 does not allow in any form become U+FFFD: control characters, unpaired surrogates, U+FFFE
 * and U+FFFF.
 *
 * The function works on bytes: if there is much to escape, this takes a fifth of the time of string replacement.
 */
export function xmlText(text: string): string {
  if (!special.test(text)) return text
  const bytes = Buffer.from(text)
  const xml = Buffer.allocUnsafe(bytes.length * longestEscape)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    const instead = isNoCharacter(bytes, at) ? replacement : escapes[byte]
    if (instead === undefined) xml[length++] = byte
    else {
      for (const each of instead) xml[length++] = each
      if (byte === 0xef) at += 2
    }
  }
  return xml.toString('utf8', 0, length)
}

/** Returns whether the bytes at a position encode U+FFFE or U+FFFF. */
function isNoCharacter(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2]! >= 0xbe
}

/** Matches the extensions of files that Windows runs when they are opened. */
const ending = /\.(bat|cmd|com|cpl|exe|hta|jar|jse?|lnk|msi|pif|ps1|scr|vb[es]|wsf)$/i

/**
 * Returns whether a mail reader would save a file of this name as a program. Windows drops dots and spaces at the
 * end of a name, and reads text after a colon as the name of a stream. Invisible characters only change how a name
 * looks.
 */
export function isProgram(filename: string): boolean {
  const name = filename.normalize('NFKC').replace(/[\p{Cc}\p{Cf}]/gu, '')
  return name.split(/[:\\/]/).some(part => ending.test(part.replace(/[.\s]+$/, '')))
}

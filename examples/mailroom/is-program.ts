/** Endings of files that Windows runs when they are opened. */
const ending = /\.(bat|cmd|com|cpl|exe|hta|jar|jse?|lnk|msi|pif|ps1|scr|vb[es]|wsf)$/i

/**
 * Whether a mail reader would save a file of this name as a program. Dots and spaces at the end are not kept, letters
 * that cannot be seen change only how a name looks, and after a colon comes the name of a stream.
 */
export function isProgram(filename: string): boolean {
  const name = filename.normalize('NFKC').replace(/[\p{Cc}\p{Cf}]/gu, '')
  return name.split(/[:\\/]/).some(part => ending.test(part.replace(/[.\s]+$/, '')))
}

/**
 * Returns the fields of a CSV line. A comma inside a field is escaped with a backslash, as in Cognito's files, or the
 * field is in double quotes (RFC 4180). Undefined for a line within quotes that another line closes, because a field has no
 * line ends.
 */
export function csvRow(line: string): string[] | undefined {
  const fields: string[] = []
  let field = ''
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const letter = line[at]
    const next = line[at + 1]
    const isEscape = isQuoted
      ? letter === '"' && next === '"'
      : letter === '\\' && (next === ',' || next === '\\')
    if (isEscape) field += line[++at]
    else if (letter === '"' && (isQuoted || field === '')) isQuoted = !isQuoted
    else if (letter === ',' && !isQuoted) {
      fields.push(field)
      field = ''
    } else field += letter
  }
  return isQuoted ? undefined : [...fields, field]
}

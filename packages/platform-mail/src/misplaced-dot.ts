/**
 * Returns whether an address has a dot at the start or at the end of its local part, or two dots in a row (RFC 5321, 4.1.2).
 * In a quoted local part, dots may be anywhere. A dot may stand at the end of a domain, but nowhere else without a label.
 */
export function hasMisplacedDot(address: string): boolean {
  const at = address.lastIndexOf('@')
  const isQuoted = address.startsWith('"')
  return (!isQuoted && /^\.|\.\.|\.$/.test(address.slice(0, at))) || /^\.|\.\./.test(address.slice(at + 1))
}

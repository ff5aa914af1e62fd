/** An option that makes no sense, as people have written it: a text in quotes, so that it is told from a number. */
export function shown(option: unknown): string {
  return typeof option === 'string' ? JSON.stringify(option) : String(option)
}

/** Formats the value of an invalid option for an error message. A string is quoted, to distinguish it from a number. */
export function quotedOption(option: unknown): string {
  return typeof option === 'string' ? JSON.stringify(option) : String(option)
}

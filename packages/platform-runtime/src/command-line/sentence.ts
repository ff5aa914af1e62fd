/** Returns a text with a full stop at its end, unless it ends with punctuation already. */
export function sentence(text: string): string {
  return /[.!?…]["')]?$/.test(text) ? text : `${text}.`
}

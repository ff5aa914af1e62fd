/** One address, with or without a name. */
export const senderForm = /^(?:[^\s@<>,;]+@[^\s@<>,;]+|[^@<>,;\p{Cc}]+ <[^\s@<>,;]+@[^\s@<>,;]+>)$/u

/** Returns the address of a sender such as `Staff <staff@example.com>`, in the form that rights have. */
export function addressOf(from: string): string {
  return (/<([^<>]*)>$/.exec(from)?.[1] ?? from).toLowerCase()
}

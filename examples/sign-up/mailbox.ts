/** Where this program's one-time codes go: a real one would hand them to a mail service. */
export const mailbox = {
  letters: [] as { readonly to: string | undefined; readonly code: string }[],
  deliver(to: string | undefined, code: string): void {
    this.letters.push({ to, code })
  },
}

/** An in-memory replacement for a service that sends e-mails and text messages. */
export const outbox = {
  sent: [] as string[],
  mail(to: string | undefined, text: string): void {
    this.sent.push(`mail to ${to}: ${text}`)
    // With `signalbox dev --unmasked`, this prints the one-time code.
    if (process.env.NODE_ENV === 'development') console.info(this.sent.at(-1))
  },
  sms(to: string | undefined, text: string): void {
    this.sent.push(`sms to ${to}: ${text}`)
  },
}

export const newsletter = {
  readers: [] as (string | undefined)[],
  async add(email: string | undefined): Promise<void> {
    this.readers.push(email)
  },
}

/** The users of the old directory that the pool replaces. */
export const directory: ReadonlyMap<string, { readonly password: string; readonly email: string }> = new Map([
  ['grace', { password: 'cobol-1959', email: 'grace@example.com' }],
])

/** Replaces a key service. The “encrypted” code is only plain text in base64. */
export async function decrypt(code: string): Promise<string> {
  return Buffer.from(code, 'base64').toString('utf8')
}

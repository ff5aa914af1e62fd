import { HttpError } from '@signalbox/load-balancer'

/** The issuer of the members' tokens: the user pool in `signalbox.config.ts`. */
export const issuer = process.env.ISSUER ?? 'http://127.0.0.1:9331/eu-central-1_Staff01'

const passwords = new Map([['Ada Lovelace', 'engine & loom']])

/** Opens a session for a customer with the right password, or throws 401. A real shop signs its sessions. */
export function signIn({ name, password }: { readonly name: string; readonly password: string }): string {
  if (passwords.get(name) !== password) throw new HttpError(401, 'The name or the password is wrong')
  return `customer: ${name}`
}

/** Returns the customer of a session, or throws 401. */
export function customerOf(session: string | undefined): string {
  const name = session?.startsWith('customer: ') ? session.slice('customer: '.length) : undefined
  if (name === undefined) throw new HttpError(401, 'Sign in first')
  return name
}

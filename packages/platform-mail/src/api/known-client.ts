import type { MailClient } from '@signalbox/mail-flow/contract'

/** The maximum number of characters of a fact. It is that of a domain name. */
const longest = 255

/** Returns what is known about a client: docs/contract/mail-flow.md#client. Longer values are cut to 255 characters. */
export function knownClient(
  client: {
    readonly [Field in keyof MailClient]: string | null | undefined
  },
): MailClient {
  return Object.fromEntries(
    Object.entries(client)
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([field, value]) => [field, value!.slice(0, longest)]),
  )
}

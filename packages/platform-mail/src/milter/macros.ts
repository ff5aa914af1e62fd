import { MalformedPacket, stringsOf } from './packets.ts'

/** The values that the mail server gives beside an event, by their names. */
type Values = { readonly [Name in (typeof names)[number]]?: string }

/** Keeps the values of events that have not come yet. */
export interface Macros {
  readonly set: (data: Buffer) => void
  /** Returns the values for an event that has come, and forgets them. */
  readonly take: (event: string) => Values
  readonly clear: () => void
}

const names = [
  '{daemon_name}',
  '{client_ptr}',
  '{tls_version}',
  '{auth_authen}',
  '{rcpt_mailer}',
  '{rcpt_addr}',
] as const

/** The events beside which these values come: the connection, the greeting, the sender, and a recipient. */
const events = ['C', 'H', 'M', 'R']

/** The maximum number of bytes of a value. Longer values are not kept. */
export const longest = 1024

export function macros(): Macros {
  const byEvent = new Map<string, Values>()
  return {
    set(data) {
      if (data.length === 0) throw new MalformedPacket('Macros without an event')
      const event = String.fromCharCode(data[0]!)
      if (!events.includes(event)) return
      const strings = stringsOf(data.subarray(1))
      const found: [string, string][] = []
      for (let at = 0; at + 1 < strings.length; at += 2) {
        const [name, value] = [strings[at]!.toString('latin1'), strings[at + 1]!]
        if ((names as readonly string[]).includes(name) && value.length <= longest)
          found.push([name, value.toString()])
      }
      byEvent.set(event, Object.fromEntries(found))
    },
    take(event) {
      const values = byEvent.get(event) ?? {}
      byEvent.delete(event)
      return values
    },
    clear: () => byEvent.clear(),
  }
}

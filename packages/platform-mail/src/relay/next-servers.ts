import type { Clock } from '@signalbox/core'
import { partsOf } from '../address-pattern.ts'
import type { MailSettings, ServerSettings } from '../config/mail-settings.ts'
import { type Relay, relay } from './relay.ts'
import { mailSigner, type SignMail } from './sign-mail.ts'

/** The servers that get mail from this platform. */
export interface NextServers {
  /**
   * Returns the server for mail to an address: that of its domain, or else the relay. Domains with the same server share
   * it. Returns undefined if the configuration has none.
   */
  readonly of: (address: string) => Relay | undefined
  /** Signs mail that leaves the platform's own domains. Undefined if no domain has a key. */
  readonly sign: SignMail | undefined
  /** Ends all connections. */
  readonly close: () => void
}

export function nextServers(
  settings: Pick<MailSettings, 'name' | 'domains' | 'relay'>,
  clock: Pick<Clock, 'now' | 'after'>,
): NextServers {
  const servers = new Map<string, Relay>()
  const serverAt = (its: ServerSettings): Relay => {
    const key = [its.protocol, its.socket ?? its.host, its.port].join(' ')
    const server = servers.get(key) ?? relay(its, settings.name, clock)
    servers.set(key, server)
    return server
  }
  return {
    sign: mailSigner(settings),
    of(address) {
      const to = settings.domains.get(partsOf(address).domain)?.to
      if (typeof to === 'object') return serverAt(to)
      return typeof settings.relay === 'object' ? serverAt(settings.relay) : undefined
    },
    close() {
      for (const server of servers.values()) server.close()
    },
  }
}

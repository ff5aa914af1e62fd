import type { Clock } from '@signalbox/core'
import { systemRandom } from '@signalbox/platform-runtime'
import type { Access, Identity } from '@signalbox/platform-runtime/access'
import { isThisMachine } from '../../config/trusted-clients.ts'
import { originatorAddresses } from '../../message/originator-addresses.ts'
import type { Wire } from '../connections/wire.ts'
import type { Reply } from '../reply.ts'
import { exchange } from './exchange.ts'
import { type MechanismName, mechanisms } from './mechanisms.ts'
import { scramServer } from './scram.ts'

/** A client that authenticates on a connection. */
interface AuthenticatingClient {
  readonly wire: Pick<Wire, 'readLine' | 'write'>
  /** The network of the client's address, as `clientNetwork` returns it. */
  readonly network: string
  readonly address: string
  /** The number of failed attempts on this connection. */
  readonly failures: number
}

/** Authenticates the clients of a listener. */
export interface Authenticator {
  /** The mechanisms that the reply to EHLO lists. */
  readonly offered: readonly MechanismName[]
  /** Returns the reply to AUTH on a connection where AUTH is not offered. */
  readonly refuse: (connection: { readonly isSecure: boolean; readonly address: string }) => Reply | undefined
  /**
   * Runs the exchange that `AUTH …` begins. Returns the identity, or the reply. A reply with the code 235 accepts the
   * client without an identity.
   */
  readonly authenticate: (line: Buffer, client: AuthenticatingClient) => Promise<Identity | Reply>
  /** Returns the reply that refuses a sender. Returns undefined for a sender that the identity may use. */
  readonly refuseSender: (identity: Identity, sender: string, address: string) => Reply | undefined
  /**
   * Returns the reply that refuses a mail whose headers `From`, `Sender`, `Resent-From` or `Resent-Sender` are
   * ambiguous or contain an address that the identity may not use.
   */
  readonly refuseOriginators: (identity: Identity, raw: Buffer, address: string) => Reply | undefined
}

/** The number of wrong passwords after which a connection is closed. */
const failuresOfConnection = 3

/**
 * The delay of the reply to a wrong password, in milliseconds. It doubles with each further wrong password on
 * a connection.
 */
const slowness = 1000

const tooMany: Reply = { code: 421, text: '4.7.0 Too many failed authentications, try again later' }

const offered = Object.keys(mechanisms) as readonly MechanismName[]

/** Returns an authenticator that checks access keys. */
export function authenticator(access: Access, clock: Clock): Authenticator {
  const scram = scramServer(systemRandom)
  const note = (
    identity: string | undefined,
    operation: string,
    resource: string | undefined,
    result: string,
    address: string,
  ) => access.log.add({ identity, source: 'mail', operation, resource, result, address })

  return {
    offered,

    // A password must not cross a network in plain text.
    refuse: ({ isSecure, address }) =>
      isSecure || isThisMachine(address)
        ? undefined
        : { code: 538, text: '5.7.11 Authentication needs TLS: send STARTTLS first' },

    async authenticate(line, { wire, network, address, failures }) {
      // Other clients of the same network have to wait, too. Otherwise an attacker could make more guesses on each
      // new connection.
      if (access.failures.delay(network) > 0) {
        note(undefined, 'AUTH', undefined, 'too many failures', address)
        return tooMany
      }
      const found = await exchange(line, wire, { offered, access, scram })
      if (found !== 'wrong') {
        if ('name' in found) note(found.name, 'AUTH', undefined, 'allowed', address)
        return found
      }
      access.failures.take(network)
      note(undefined, 'AUTH', undefined, 'wrong user or password', address)
      await new Promise<void>(resolve => clock.after(slowness * 2 ** failures, resolve))
      return failures + 1 >= failuresOfConnection
        ? tooMany
        : { code: 535, text: '5.7.8 Wrong user or password' }
    },

    refuseSender(identity, sender, address) {
      const resource = sender === '' ? '<>' : sender.toLowerCase()
      // Reports and automatic replies have the null sender. Like Postfix, the platform lets everyone send them who may send
      // mail; the addresses in their headers are checked.
      const isAllowed = sender === '' ? identity.has('mail', 'submit') : maySubmit(identity, resource, sender)
      note(identity.name, 'MAIL', resource, isAllowed ? 'allowed' : 'denied', address)
      return isAllowed ? undefined : { code: 550, text: '5.7.1 You may not send mail with this sender' }
    },

    refuseOriginators(identity, raw, address) {
      const found = originatorAddresses(raw)
      if ('unclear' in found) {
        note(identity.name, found.unclear, undefined, 'denied', address)
        return {
          code: 550,
          text: `5.7.1 The ${found.unclear} header must name addresses in one clear form`,
        }
      }
      const wrong = found.find(each => !maySubmit(identity, each.address.toLowerCase(), each.address))
      if (wrong === undefined) return undefined
      note(identity.name, wrong.header, wrong.address.toLowerCase(), 'denied', address)
      return {
        code: 550,
        text: `5.7.1 You may not send mail with an address in the ${wrong.header} header`,
      }
    },
  }
}

function maySubmit(identity: Identity, ...forms: readonly string[]): boolean {
  return forms.some(each => identity.may('mail', 'submit', each))
}

import type { Clock } from '@signalbox/core'
import { systemRandom } from '@signalbox/platform-runtime'
import type { Access, Identity } from '@signalbox/platform-runtime/access'
import { originatorAddresses } from '../../message/originator-addresses.ts'
import type { Wire } from '../connections/wire.ts'
import { type Reply, replyLines } from '../reply.ts'
import { mechanisms } from './mechanisms.ts'
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
  /** Runs the exchange that `AUTH …` begins. Returns the identity, or the reply that refuses it. */
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

/** The maximum size in bytes of a client's line, which contains one Base64-encoded message. */
const longest = 2048

const tooMany: Reply = { code: 421, text: '4.7.0 Too many failed authentications, try again later' }

/** The names of the mechanisms, as the reply to EHLO lists them. */
export const mechanismNames: string = Object.keys(mechanisms).join(' ')

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
    async authenticate(line, { wire, network, address, failures }) {
      // Other clients of the same network have to wait, too. Otherwise an attacker could make more guesses on each
      // new connection.
      if (access.failures.delay(network) > 0) {
        note(undefined, 'AUTH', undefined, 'too many failures', address)
        return tooMany
      }
      const [, name = '', initial, ...more] = line.toString('latin1').trim().split(/ +/)
      const key = name.toUpperCase()
      if (more.length > 0 || name === '')
        return { code: 501, text: '5.5.4 Syntax: AUTH mechanism [response]' }
      const mechanism = Object.hasOwn(mechanisms, key) ? mechanisms[key] : undefined
      if (mechanism === undefined) return { code: 504, text: '5.5.4 Unknown mechanism' }
      let isMalformed = false
      const decoded = (text: string): Buffer | undefined => {
        if (text === '=') return Buffer.alloc(0)
        if (
          text.length <= longest &&
          /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
        )
          return Buffer.from(text, 'base64')
        isMalformed = true
        return undefined
      }
      const first = initial === undefined ? undefined : decoded(initial)
      const found = isMalformed
        ? undefined
        : await mechanism(
            access,
            first,
            async bytes => {
              await wire.write(replyLines(334, [bytes.toString('base64')]))
              const answer = await wire.readLine()
              return answer.kind !== 'line' || answer.line.toString() === '*'
                ? undefined
                : decoded(answer.line.toString('latin1'))
            },
            scram,
          )
      if (isMalformed || found === undefined) return { code: 501, text: '5.5.2 Not base64' }
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
      const isAllowed = maySubmit(identity, resource, sender)
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
  return forms.some(each => each !== '' && identity.may('mail', 'submit', each))
}

import type { Access, Identity } from '@signalbox/platform-runtime/access'
import type { Reply } from '../reply.ts'
import type { Scram } from './scram.ts'

/**
 * Sends a challenge to the client and returns its answer. Returns undefined if the client cancelled or
 * disconnected.
 */
type Challenge = (bytes: Buffer) => Promise<Buffer | undefined>

/**
 * The result, which is the client's identity, `wrong` for a wrong name or password, or the reply to a malformed
 * message.
 */
type Authentication = Identity | 'wrong' | Reply

/** A SASL mechanism. `initial` is undefined when the client sent no initial response. */
type Mechanism = (
  access: Pick<Access, 'key' | 'password'>,
  initial: Buffer | undefined,
  challenge: Challenge,
  scram: Scram,
) => Promise<Authentication>

const cancelled: Reply = { code: 501, text: '5.7.0 Authentication cancelled' }
const malformed: Reply = { code: 501, text: '5.5.2 Malformed authentication' }

/** The mechanisms that the server implements, best first. */
export const mechanisms = {
  async 'SCRAM-SHA-256'(access, initial, challenge, scram) {
    const first = initial ?? (await challenge(Buffer.alloc(0)))
    if (first === undefined) return cancelled
    const exchange = scram.begin(first.toString())
    if (exchange === undefined) return malformed
    const final = await challenge(Buffer.from(exchange.serverFirst))
    if (final === undefined) return cancelled
    const proved = await exchange.finish(final.toString(), access.key(exchange.user))
    if (proved === undefined) return 'wrong'
    // In SCRAM, the client also checks that the server knows the secret, and then sends an empty answer.
    return (await challenge(Buffer.from(proved.serverFinal))) === undefined ? cancelled : proved.identity
  },

  async PLAIN(access, initial, challenge) {
    const response = initial ?? (await challenge(Buffer.alloc(0)))
    if (response === undefined) return cancelled
    const [authorized, user, password, ...more] = response.toString().split('\0')
    if (user === undefined || password === undefined || more.length > 0) return malformed
    if (authorized !== '' && authorized !== user) return 'wrong'
    return access.password(user, password) ?? 'wrong'
  },

  async LOGIN(access, initial, challenge) {
    const user = initial ?? (await challenge(Buffer.from('Username:')))
    if (user === undefined) return cancelled
    const password = await challenge(Buffer.from('Password:'))
    if (password === undefined) return cancelled
    return access.password(user.toString(), password.toString()) ?? 'wrong'
  },
} satisfies { readonly [name: string]: Mechanism }

/** The name of a mechanism. */
export type MechanismName = keyof typeof mechanisms

import { systemRandom } from '@signalbox/platform-runtime'
import { isThisMachine } from '../../config/trusted-clients.ts'
import type { Authenticator } from './authenticator.ts'
import { exchange } from './exchange.ts'
import type { MechanismName } from './mechanisms.ts'
import { scramServer } from './scram.ts'

/** SCRAM is missing, because in SCRAM the server also proves that it knows the password. */
const offered: readonly MechanismName[] = ['PLAIN', 'LOGIN']

/**
 * Returns the authenticator of a listener without access keys. Many programs need a user and a password in their
 * settings, and send no mail to a server that does not offer AUTH. Programs of this machine may send any user and any
 * password. They get no identity, so that they may do what they may do without AUTH.
 */
export function anyPassword(): Authenticator {
  const server = {
    offered,
    access: { key: () => undefined, password: () => undefined },
    scram: scramServer(systemRandom),
  }
  return {
    offered,
    refuse: ({ address }) =>
      isThisMachine(address)
        ? undefined
        : {
            code: 502,
            text: '5.5.1 Users of other machines need keys: set access in the configuration of this server',
          },
    async authenticate(line, { wire }) {
      const found = await exchange(line, wire, server)
      return found === 'wrong' ? { code: 235, text: '2.7.0 Accepted without a check' } : found
    },
    refuseSender: () => undefined,
    refuseOriginators: () => undefined,
  }
}

import { isObject, type Problem } from '@signalbox/codec'
import {
  defaultHost,
  insideProblems,
  isOwnAddress,
  type UncheckedObject,
} from '@signalbox/platform-runtime/config'
import { domainProblems, hasNoDomain } from './domain-problems.ts'
import { mailsFields } from './mail-config.ts'
import { defaultTls } from './mail-settings.ts'
import { ruleProblems } from './rule-problems.ts'

/** Returns all problems of the key `mail` of a configuration. */
export function mailProblems(config: UncheckedObject, functions: UncheckedObject): readonly Problem[] {
  return insideProblems(mailsFields, 'mail', config, ownProblems, {
    domains: domainProblems(),
    rules: ruleProblems(functions, config.queues),
    relay: relayProblems,
    milter: milterProblems,
    hooks: hooksProblems,
    submission: (part, pointer, { tls }) => submissionProblems(part, pointer, tls, config.access),
  })
}

function ownProblems(mail: UncheckedObject): readonly Problem[] {
  return [
    ...(isObject(mail.limits) && mail.limits.connections !== undefined
      ? [
          {
            pointer: '/mail/limits/connections',
            expected: 'maxConnectionsPerAddress of mail instead',
            actual: 'a limit here',
          },
        ]
      : []),
    ...(hasNoDomain(mail) && mail.relay === undefined && mail.milter === undefined && mail.hooks === undefined
      ? [
          {
            pointer: '/mail',
            expected: 'domains, a relay, a milter, or hooks',
            actual: 'none of them, so that all mail would be refused',
          },
        ]
      : []),
  ]
}

/** Returns the problems of the submission listener, which requires keys, and also TLS for clients on other machines. */
function submissionProblems(
  { host = defaultHost, implicitTlsPort }: UncheckedObject,
  pointer: string,
  tls: unknown,
  access: unknown,
): readonly Problem[] {
  return [
    ...(access === undefined
      ? [{ pointer, expected: '`access` with the identities that may submit mail', actual: 'nothing there' }]
      : []),
    ...(tls === undefined && typeof host === 'string' && !isOwnAddress(host)
      ? [
          {
            pointer: `${pointer}/host`,
            expected: `an address of this machine, or a certificate in mail.tls`,
            actual: host,
          },
        ]
      : []),
    ...(tls === undefined && implicitTlsPort !== undefined
      ? [{ pointer: `${pointer}/implicitTlsPort`, expected: 'a certificate in mail.tls', actual: 'none' }]
      : []),
  ]
}

/** Returns the problems of options of the relay that would have no effect, or would show a password to a network. */
function relayProblems(relay: UncheckedObject, pointer: string): readonly Problem[] {
  const { host, port, ca, user, password, tls = defaultTls(host, ca, port) } = relay
  return [
    ...(ca !== undefined && (tls === 'opportunistic' || tls === 'never')
      ? [{ pointer: `${pointer}/ca`, expected: "tls: 'verify' or 'implicit' beside it", actual: String(tls) }]
      : []),
    ...(user !== undefined && tls === 'never' && typeof host === 'string' && !isOwnAddress(host)
      ? [
          {
            pointer: `${pointer}/tls`,
            expected: 'encryption for the password, which crosses a network',
            actual: 'never',
          },
        ]
      : []),
    ...((user === undefined) === (password === undefined)
      ? []
      : [
          {
            pointer: `${pointer}/${user === undefined ? 'user' : 'password'}`,
            expected: 'a user and a password, or neither',
            actual: 'nothing',
          },
        ]),
  ]
}

/** Returns the problems of the listener for hooks, which sends a secret and mails only over TLS to other machines. */
function hooksProblems({ host = defaultHost, tls }: UncheckedObject, pointer: string): readonly Problem[] {
  return tls === undefined && typeof host === 'string' && !isOwnAddress(host)
    ? [
        {
          pointer: `${pointer}/host`,
          expected: 'an address of this machine, or a certificate in mail.hooks.tls',
          actual: host,
        },
      ]
    : []
}

/** The maximum number of bytes of the path of a Unix socket on Linux. */
const longestSocket = 107

/** Returns the problems of the listener for other mail servers, which has a port or a socket, but not both. */
function milterProblems({ port, socket, host }: UncheckedObject, pointer: string): readonly Problem[] {
  if (port === undefined && socket === undefined)
    return [{ pointer, expected: 'a port or a socket', actual: 'neither' }]
  if (socket === undefined) return []
  if (port !== undefined)
    return [{ pointer: `${pointer}/port`, expected: 'a port or a socket, but not both', actual: 'both' }]
  if (host !== undefined)
    return [{ pointer: `${pointer}/host`, expected: 'no host beside a socket', actual: String(host) }]
  const length = typeof socket === 'string' ? Buffer.byteLength(socket) : 0
  return length <= longestSocket
    ? []
    : [
        {
          pointer: `${pointer}/socket`,
          expected: `a path of at most ${longestSocket} bytes`,
          actual: `${length} bytes`,
        },
      ]
}

import { isObject, type Problem } from '@signalbox/codec'
import {
  defaultHost,
  fieldProblems,
  isOwnAddress,
  nestedProblems,
  tlsFields,
  type UncheckedObject,
} from '@signalbox/platform-runtime/config'
import { domainProblems, hasNoDomain } from './domain-problems.ts'
import { mailFields, relayFields, submissionFields } from './mail-fields.ts'
import { defaultTls } from './mail-settings.ts'
import { ruleProblems } from './rule-problems.ts'

/** Returns all problems of the key `mail` of a configuration. */
export function mailProblems(
  mail: UncheckedObject,
  functions: UncheckedObject,
  access?: unknown,
): readonly Problem[] {
  return [
    ...fieldProblems(mailFields, mail, '/mail', {
      mailboxes: "domains, such as { 'office.example': { to: 'mailboxes' } }",
    }),
    ...domainProblems(mail),
    ...ruleProblems(mail, functions),
    ...nestedProblems(mail, 'relay', relayFields, '/mail', {
      secure: "tls, which is 'implicit' if TLS begins with the first byte",
    }),
    ...relayTlsProblems(mail.relay),
    ...credentialProblems(mail.relay),
    ...nestedProblems(mail, 'tls', tlsFields, '/mail'),
    ...nestedProblems(mail, 'submission', submissionFields, '/mail'),
    ...submissionProblems(mail, access),
    ...(isObject(mail.limits) && mail.limits.connections !== undefined
      ? [
          {
            pointer: '/mail/limits/connections',
            expected: 'maxConnectionsPerAddress of mail instead',
            actual: 'a limit here',
          },
        ]
      : []),
    ...(hasNoDomain(mail) && mail.relay === undefined
      ? [
          {
            pointer: '/mail',
            expected: 'domains, a relay, or both',
            actual: 'neither, so that all mail would be refused',
          },
        ]
      : []),
  ]
}

/** Returns the problems of the submission listener, which requires keys, and also TLS for clients on other machines. */
function submissionProblems({ submission, tls }: UncheckedObject, access: unknown): readonly Problem[] {
  if (!isObject(submission)) return []
  const { host = defaultHost } = submission
  const pointer = '/mail/submission'
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
  ]
}

function credentialProblems(relay: unknown): readonly Problem[] {
  if (!isObject(relay) || (relay.user === undefined) === (relay.password === undefined)) return []
  const missing = relay.user === undefined ? 'user' : 'password'
  return [
    { pointer: `/mail/relay/${missing}`, expected: 'a user and a password, or neither', actual: 'nothing' },
  ]
}

/** Returns the problems of options of the relay that would have no effect, or would show a password to a network. */
function relayTlsProblems(relay: unknown): readonly Problem[] {
  if (!isObject(relay)) return []
  const { host, port, ca, user, tls = defaultTls(host, ca, port) } = relay
  const pointer = '/mail/relay'
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
  ]
}

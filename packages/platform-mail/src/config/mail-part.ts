import { isObject, type Problem, pointerTo } from '@signalbox/codec'
import type { SourceConfig } from '@signalbox/platform-runtime'
import type { ResourceRights } from '@signalbox/platform-runtime/access'
import {
  authorityProblems,
  certificateProblems,
  listenerAt,
  readSecret,
  secretProblems,
} from '@signalbox/platform-runtime/config'
import { dkimProblems } from './dkim-key.ts'
import {
  type HooksConfig,
  lmtpFields,
  type MailsConfig,
  mailFields,
  mailsFields,
  submissionFields,
} from './mail-config.ts'
import { mailProblems } from './mail-problems.ts'
import { type MailSettings, mailSettings } from './mail-settings.ts'

/** The default timeout of a synchronous function in seconds: docs/contract/mail-flow.md#limits.responseTime. */
export const awaitedTimeout = 15

/** The rights to submit mail with certain sender addresses, and to read and change mails at the control address. */
const mailRights: ResourceRights = { collection: 'mail', names: ['submit', 'read', 'change'] }

/** The minimum number of characters of the secret of mail servers. */
const shortestSecret = 16

function hooksFileProblems({ secret, tls }: HooksConfig, root: string): readonly Problem[] {
  const pointer = '/mail/hooks/secret'
  const problems = secretProblems(secret, pointer, root)
  const isShort = problems.length === 0 && readSecret(secret, root).length < shortestSecret
  return [
    ...problems,
    ...(isShort
      ? [{ pointer, expected: `at least ${shortestSecret} characters`, actual: 'a shorter secret' }]
      : []),
    ...certificateProblems(tls, '/mail/hooks/tls', root),
  ]
}

/** The configuration key `mail`. */
export const mailPart: SourceConfig<MailSettings> = {
  name: 'mail-flow',
  fields: mailsFields,
  problems: mailProblems,
  fileProblems: (config, root) => {
    const { tls, relay, hooks, domains = {} } = (config as MailsConfig).mail ?? {}
    const ca = typeof relay === 'object' ? relay.ca : undefined
    return [
      ...certificateProblems(tls, '/mail/tls', root),
      ...(hooks === undefined ? [] : hooksFileProblems(hooks, root)),
      ...(ca === undefined ? [] : authorityProblems(ca, '/mail/relay/ca', root)),
      ...Object.entries(domains).flatMap(([domain, { dkim }]) =>
        dkim ? dkimProblems(dkim.key, `/mail/domains${pointerTo(domain)}/dkim/key`, root) : [],
      ),
    ]
  },
  rights: [mailRights],
  listeners: ({ mail }) => [
    ...listenerAt('mail', 'mail', mailFields.port.default, mail, 'public'),
    ...(isObject(mail) && isObject(mail.submission)
      ? [
          {
            name: 'the submission of mail',
            pointer: '/mail/submission',
            part: { port: submissionFields.port.default, ...mail.submission },
            clients: 'authenticated' as const,
          },
          ...(mail.submission.implicitTlsPort === undefined
            ? []
            : [
                {
                  name: 'the submission of mail over TLS',
                  pointer: '/mail/submission',
                  part: { ...mail.submission, port: mail.submission.implicitTlsPort },
                  clients: 'authenticated' as const,
                },
              ]),
        ]
      : []),
    ...(isObject(mail) && isObject(mail.lmtp)
      ? listenerAt('mail/lmtp', 'mail over LMTP', lmtpFields.port.default, mail.lmtp, 'public')
      : []),
    ...(isObject(mail) && isObject(mail.hooks)
      ? listenerAt('mail/hooks', 'the hooks for mail servers', 0, mail.hooks, 'authenticated')
      : []),
    ...(isObject(mail) && isObject(mail.milter) && mail.milter.port !== undefined
      ? listenerAt('mail/milter', 'the milter', 0, mail.milter, 'public')
      : []),
  ],
  timeouts: ({ mail }) => {
    const rules = isObject(mail) && Array.isArray(mail.rules) ? mail.rules.filter(isObject) : []
    const awaited = rules.filter(({ mode = 'sync' }) => mode === 'sync')
    return new Map(awaited.map(rule => [String(rule.function), awaitedTimeout]))
  },
  needsControl: ({ mail }) => isObject(mail),
  settings: (config, functions, root) => {
    const { mail } = config as MailsConfig
    return mail && mailSettings(mail, functions, root, config.access !== undefined)
  },
}

import { isObject } from '@signalbox/codec'
import type { SourceConfig } from '@signalbox/platform-runtime'
import { certificateProblems, listenerAt, object, optional } from '@signalbox/platform-runtime/config'
import type { MailsConfig } from './mail-config.ts'
import { mailProblems } from './mail-problems.ts'
import { defaultMailPort, type MailSettings, mailSettings } from './mail-settings.ts'

/** Seconds of a synchronous function: docs/contract/mail-flow.md#limits.responseTime. */
export const awaitedTimeout = 15

/** The configuration key `mail`. */
export const mailPart: SourceConfig<MailSettings> = {
  name: 'mail-flow',
  fields: { mail: optional(object) },
  problems: ({ mail }, functions) => (isObject(mail) ? mailProblems(mail, functions) : []),
  fileProblems: (config, root) => certificateProblems((config as MailsConfig).mail?.tls, '/mail/tls', root),
  listeners: ({ mail }) => listenerAt('mail', 'mail', defaultMailPort, mail, false),
  timeouts: ({ mail }) => {
    const rules = isObject(mail) && Array.isArray(mail.rules) ? mail.rules.filter(isObject) : []
    const awaited = rules.filter(({ mode = 'sync' }) => mode === 'sync')
    return new Map(awaited.map(rule => [String(rule.function), awaitedTimeout]))
  },
  needsControl: ({ mail }) => isObject(mail),
  settings: (config, functions, root) => {
    const { mail } = config as MailsConfig
    return mail && mailSettings(mail, functions, root)
  },
}

import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { MailsConfig } from '../sources/mail/config/mail-config.ts'
import type { MailSettings } from '../sources/mail/config/mail-settings.ts'
import type { Mail } from '../sources/mail/mail.ts'
import { mailModule } from '../sources/mail/mail-module.ts'
import { testProgram } from './test-program.ts'

/** A configuration of a platform whose one source is mail. */
export type Config = RuntimeConfig & MailsConfig

export const { createPlatform, configProblems, settingsOf, signalbox } = testProgram<
  MailsConfig,
  MailSettings,
  { readonly mail: Mail }
>(mailModule)

export type Platform = ReturnType<typeof createPlatform>

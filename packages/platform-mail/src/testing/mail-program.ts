import { testProgram } from '@signalbox/platform-runtime/commands/testing/test-program'
import type { RuntimeConfig } from '@signalbox/platform-runtime/config'
import type { MailsConfig } from '../config/mail-config.ts'
import type { MailSettings } from '../config/mail-settings.ts'
import type { Mail } from '../mail-access.ts'
import { mailModule } from '../mail-module.ts'

/** The configuration of a platform with mail as its only source. */
export type Config = RuntimeConfig & MailsConfig

export const { createPlatform, configProblems, settingsOf, signalbox } = testProgram<
  MailsConfig,
  MailSettings,
  { readonly mail: Mail }
>(mailModule)

export type Platform = ReturnType<typeof createPlatform>

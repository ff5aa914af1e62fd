import type { MailSettings } from '../config/mail-settings.ts'

/** The maximum number of concurrent invocations of one function, even if it has more instances. */
const concurrentInvocations = 8

/** Returns how many mails a function decides on at the same time. */
export function concurrencyOf(functionName: string, { functions }: Pick<MailSettings, 'functions'>): number {
  return Math.min(concurrentInvocations, functions.get(functionName) ?? concurrentInvocations)
}

import type { ConsolePart } from '@signalbox/platform-runtime/console'

/** The page of mail. */
export const mailPages = [
  {
    name: 'mail',
    title: 'Mail',
    wrong: 'Mails that bounced or failed in the last hour',
    sign: 'M1.5 3.5h13v9h-13zM1.5 4.5 8 9l6.5-4.5',
  },
] as const satisfies ConsolePart['pages']

import { siblingModule } from '@signalbox/platform-runtime'

/** The thread that converts large mails. This file is directly in `src`, because the build moves its code into `dist`. */
export const converterThread = siblingModule('message/converter-thread', import.meta.url)

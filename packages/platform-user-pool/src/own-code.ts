import { siblingModule } from '@signalbox/platform-runtime'

/** The thread that computes bcrypt. This file is directly in `src`, because the build moves its code into `dist`. */
export const bcryptThread = siblingModule('hashes/bcrypt-thread', import.meta.url)

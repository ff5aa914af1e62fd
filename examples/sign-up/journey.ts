// #region journey
import { signalbox } from '@signalbox/core'
import { userPool } from '@signalbox/user-pool'
import { confirmed } from './journey/confirmed.ts'
import { federation } from './journey/federation.ts'
import { messages } from './journey/messages.ts'
import { migration } from './journey/migration.ts'
import { senders } from './journey/senders.ts'
import { signIn } from './journey/sign-in.ts'
import { signUp } from './journey/sign-up.ts'
import { signedIn } from './journey/signed-in.ts'
import { tokens } from './journey/tokens.ts'
import { decrypt } from './services.ts'

export const handler = signalbox(
  userPool(
    {
      ...signUp,
      ...messages,
      ...senders,
      ...confirmed,
      ...migration,
      ...federation,
      ...signIn,
      ...tokens,
      ...signedIn,
    },
    { decrypt },
  ),
)
// #endregion journey

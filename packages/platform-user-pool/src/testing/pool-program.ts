import { testProgram } from '@signalbox/platform-runtime/commands/testing/test-program'
import type { UserPoolsConfig } from '../config/user-pool-config.ts'
import type { UserPoolsSettings } from '../config/user-pools-part.ts'
import { userPoolModule } from '../user-pool-module.ts'
import type { UserPools } from '../user-pools-access.ts'

export const { createPlatform, configProblems, settingsOf, signalbox, signalboxAnswered, signalboxStopped } =
  testProgram<UserPoolsConfig, UserPoolsSettings, { readonly userPools: UserPools }>(userPoolModule)
